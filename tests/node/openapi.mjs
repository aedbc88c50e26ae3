// htdocs/openapi.json as a judge, for tests/docs/the-description-is-true.t.
//
//	node tests/node/openapi.mjs <QUESTIONS >VERDICTS
//
// Standard input is one JSON object, each member of which may be absent:
//
//	answers   [{name, method, path, status, headers, body}…]: `path` as the
//	          document writes it, header names in lower case, `body` null for
//	          none. Is it described: status, headers, body?
//	bodies    [{name, method, path, body}…]: would the described request body
//	          allow it?
//	errors    [{name, body}…]: is it an Error?
//
// Standard output is {answers, bodies, errors, examples}: lists of
// {name, problems}, with `examples` for every example of the document itself.
//
// The document promises its readers that answers may gain members; this judge is
// stricter: a member that is not described is a problem, and an article has all
// of its members.
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const path = new URL('../../htdocs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(path, 'utf8'));

// Headers that mean the same everywhere and need no description.
const USUAL = new Set(['status', 'content-type', 'content-length',
	'x-content-type-options']);

// A copy in which objects have no members but the described ones.
function strict(node) {
	if (Array.isArray(node))
		return node.map(strict);
	if (node === null || typeof node !== 'object')
		return node;
	const copy = Object.fromEntries(
		Object.entries(node).map(([name, value]) => [name, strict(value)]));
	if (copy.type === 'object' && copy.properties &&
	    copy.additionalProperties === undefined)
		copy.additionalProperties = false;
	return copy;
}

function compile() {
	const ajv = new Ajv2020.default({ strict: false, allErrors: true });
	addFormats.default(ajv);
	const copy = strict(document);
	const article = copy.components.schemas.Article;
	article.required = Object.keys(article.properties);
	ajv.addSchema({ ...copy, $id: 'openapi' });
	return ajv;
}

const ajv = compile();

function pointer(...steps) {
	return '#/' + steps.map((step) => String(step)
		.replace(/~/g, '~0').replace(/\//g, '~1')).map(encodeURIComponent)
		.join('/');
}

// What a node is, and where, behind a $ref of the document.
function follow(node, where) {
	if (node?.$ref === undefined)
		return [node, where];
	const steps = node.$ref.slice(2).split('/');
	return [steps.reduce((at, step) => at[step], document), node.$ref];
}

function check(where, value) {
	const validate = ajv.getSchema('openapi' + where) ??
		ajv.compile({ $ref: 'openapi' + where });
	if (validate(value))
		return [];
	return validate.errors.slice(0, 5).map((error) =>
		`${error.instancePath || 'the value'} ${error.message} ` +
		JSON.stringify(error.params));
}

function headerProblems(response, headers) {
	const problems = [];
	const known = new Set(USUAL);
	for (const [name, node] of Object.entries(response.headers ?? {})) {
		const [header, where] = follow(node);
		const value = headers[name.toLowerCase()];
		known.add(name.toLowerCase());
		if (value === undefined) {
			if (header.required)
				problems.push(`no header ${name}`);
			continue;
		}
		const typed = header.schema.type === 'integer'
			? Number(value) : value;
		problems.push(...check(where + '/schema', typed)
			.map((problem) => `${name}: ${problem}`));
	}
	for (const name of Object.keys(headers)) {
		if (!known.has(name))
			problems.push(`the header ${name} is not described`);
	}
	return problems;
}

function answerProblems({ method, path, status, headers, body }) {
	const name = method.toLowerCase();
	const responses = document.paths[path]?.[name]?.responses;
	if (responses === undefined)
		return ['the operation is not described'];
	const key = responses[status] ? status : 'default';
	const [response, where] = follow(responses[key],
		pointer('paths', path, name, 'responses', key));
	const problems = headerProblems(response, headers);
	if (response.content === undefined)
		return body === null ? problems : [...problems, 'there is a body'];
	return problems.concat(check(
		where + '/content/application~1json/schema', body));
}

function bodyProblems({ method, path, body }) {
	return check(pointer('paths', path, method.toLowerCase(), 'requestBody',
		'content', 'application/json', 'schema'), body);
}

// Every place of the document that has a schema and examples for it.
function examples(node = document, where = '#', found = []) {
	if (node === null || typeof node !== 'object')
		return found;
	if (node.schema && node.examples) {
		for (const [name, example] of Object.entries(node.examples))
			found.push({ name: `${where}: ${name}`,
				problems: check(where + '/schema', example.value) });
	}
	for (const [step, value] of Object.entries(node))
		examples(value, `${where}/${step.replace(/~/g, '~0')
			.replace(/\//g, '~1')}`, found);
	return found;
}

const asked = JSON.parse(readFileSync(0, 'utf8'));
const judge = (list, problems) => (list ?? []).map((item) =>
	({ name: item.name, problems: problems(item) }));

process.stdout.write(JSON.stringify({
	answers: judge(asked.answers, answerProblems),
	bodies: judge(asked.bodies, bodyProblems),
	errors: judge(asked.errors,
		(item) => check('#/components/schemas/Error', item.body)),
	examples: examples(),
}) + '\n');
