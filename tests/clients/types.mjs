// Prints the part of clients/javascript/galley.d.mts that is made of
// htdocs/openapi.json: a type for each schema.
//
//	node tests/clients/types.mjs htdocs/openapi.json
import { readFileSync } from 'node:fs';

// Names that are classes of the client.
const bodies = new Set(['Error', 'InvalidRequest', 'InsufficientCredits', 'Conflict']);

const { schemas } = JSON.parse(readFileSync(process.argv[2], 'utf8')).components;

function nameOf(schema) {
  return bodies.has(schema) ? `${schema}Body` : schema;
}

function comment(text, indent) {
  return text ? `${indent}/** ${text.replace(/\*\//g, '* /').replace(/\s+/g, ' ')} */\n` : '';
}

function objectType(schema, indent) {
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${comment(member.description, inner)}${inner}${key}${mark}: ${typeOf(member, inner)};\n`;
  });
  if (schema.additionalProperties === true) members.push(`${inner}[member: string]: unknown;\n`);
  return `{\n${members.join('')}${indent}}`;
}

function typeOf(schema, indent) {
  if (schema.$ref) return nameOf(schema.$ref.replace('#/components/schemas/', ''));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.oneOf) return schema.oneOf.map((one) => typeOf(one, indent)).join(' | ');
  const types = [schema.type].flat().map((type) => {
    if (type === 'array') return `Array<${typeOf(schema.items, indent)}>`;
    if (type === 'object') return objectType(schema, indent);
    return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[type];
  });
  if (types.includes(undefined)) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return types.join(' | ');
}

for (const [key, schema] of Object.entries(schemas)) {
  const name = nameOf(key);
  const isObject = schema.type === 'object' && !schema.oneOf;
  const text = typeOf(schema, '');
  console.log(`${comment(schema.description, '')}export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`);
}
