// json_ld: it expands as JSON-LD without losing a member, each node is what
// schema.org and Google's pages say of its type, and every reference resolves
// inside the graph. Nothing is fetched: the context is schema-org-context.json,
// which knows the terms that docs/export.md §4 names and no other.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import jsonld from 'jsonld';

function read(name) {
	return JSON.parse(readFileSync(new URL(name, import.meta.url)));
}

const context = read('schema-org-context.json');
const ajv = new Ajv({ allErrors: true, strictRequired: false });
addFormats.default(ajv);
ajv.addSchema(read('export-graph.schema.json'));

const order = ['Organization', 'Person', 'WebSite', 'ImageObject', 'WebPage',
	'BreadcrumbList', 'BlogPosting', 'Question', 'HowTo'];

function kindOf(node) {
	return [node['@type']].flat()[0];
}

function* objects(value) {
	if (typeof value !== 'object' || value === null)
		return;
	if (!Array.isArray(value))
		yield value;
	for (const member of Object.values(value))
		yield* objects(member);
}

function checkNodes(nodes, say) {
	for (const node of nodes) {
		const test = ajv.getSchema(`graph#/$defs/${kindOf(node)}`);
		if (test === undefined)
			say(`a node of type ${node['@type']}`);
		else if (!test(node))
			say(`${kindOf(node)}: ${ajv.errorsText(test.errors)}`);
	}
	const places = nodes.map((node) => order.indexOf(kindOf(node)));
	if (places.some((place, i) => i > 0 && place < places[i - 1]))
		say(`nodes in another order: ${nodes.map(kindOf)}`);
	for (const kind of ['Organization', 'WebPage', 'BlogPosting']) {
		if (nodes.filter((node) => kindOf(node) === kind).length !== 1)
			say(`not one ${kind}`);
	}
}

// A reference has nothing but @id; what is embedded again says what its node
// says.
function checkReferences(nodes, say) {
	const byId = new Map(nodes.map((node) => [node['@id'], node]));
	if (byId.size !== nodes.length)
		say('an @id comes twice');
	for (const object of nodes.flatMap((node) => [...objects(node)])) {
		const id = object['@id'];
		if (id === undefined || object['@type'] === 'ImageObject')
			continue;
		const node = byId.get(id);
		if (node === undefined)
			say(`${id} is not in the graph`);
		for (const name of Object.keys(object)) {
			if (node !== undefined && JSON.stringify(node[name])
				!== JSON.stringify(object[name]))
				say(`${id} has two values of ${name}`);
		}
	}
}

function checkPositions(nodes, say) {
	const lists = nodes.flatMap((node) => [node.itemListElement, node.step])
		.concat([nodes.filter((node) => kindOf(node) === 'Question')]);
	for (const list of lists.filter((l) => l !== undefined)) {
		if (list.some((item, i) => item.position !== i + 1))
			say(`positions ${list.map((item) => item.position)}`);
	}
}

// Addresses with a fragment are places in html.
function checkPlaces(article, say) {
	const places = new Set([...article.html.matchAll(/ id="([^"]+)"/g)]
		.map((match) => match[1]));
	for (const object of objects(article.json_ld)) {
		const place = /#(ab-.*)$/.exec(object.url ?? '')?.[1];
		if (place !== undefined && !places.has(place))
			say(`${object.url} leads nowhere`);
	}
}

async function checkExpansion(graph, say) {
	try {
		const expanded = await jsonld.expand(graph, { safe: true,
			documentLoader: async (url) => {
				if (url !== 'https://schema.org')
					throw new Error(`${url} is wanted`);
				return { document: context, documentUrl: url };
			} });
		if (expanded.length !== graph['@graph'].length)
			say('nodes are lost in expansion');
	} catch (error) {
		say(`${error.message} ${JSON.stringify(error.details)}`);
	}
}

export async function check(samples, report) {
	for (const sample of samples) {
		const { article } = sample;
		const say = (text) => report(sample, text);
		const nodes = article.json_ld['@graph'];
		if (Object.keys(article.json_ld).join() !== '@context,@graph')
			say('members besides @context and @graph');
		checkNodes(nodes, say);
		checkReferences(nodes, say);
		checkPositions(nodes, say);
		checkPlaces(article, say);
		await checkExpansion(article.json_ld, say);
	}
}
