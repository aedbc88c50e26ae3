// Prints clients/galley.http, made of htdocs/openapi.json: a request for each operation, for the
// editors that send such files.
//
//	node tests/clients/http.mjs htdocs/openapi.json
import { readFileSync } from 'node:fs';

const api = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const resolve = (value) => (value.$ref ? value.$ref.slice(2).split('/').reduce((at, name) => at[name], api) : value);

console.log(`# Requests of the publishing API, made of htdocs/openapi.json by tests/clients/http.mjs. Keep keys out
# of what you commit: most editors read them from the environment or a private file.

@url = https://api.example.com/api/v1
@key = ab_live_YOUR_KEY`);

for (const [path, operations] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const parameters = (operation.parameters ?? []).map(resolve);
    const scopes = operation.security[0].key.join(', ');
    const options = parameters.filter(({ in: where, name }) => where === 'query' && name !== 'offset');
    const target = path.replace(/\{(\w+)\}/g, (_, name) => `{{${path.split('/')[1].replace(/s$/, '')}_${name}}}`);
    const ids = [...target.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => `@${name} = 00000000-0000-4000-8000-000000000000\n`);
    const headers = ['Authorization: Bearer {{key}}'];
    for (const { name, required, in: where } of parameters) {
      // The same value again would be the same order.
      if (where === 'header' && required) headers.push(`${name}: choose-a-new-one-for-each-order-N`);
    }
    const examples = Object.values(operation.requestBody?.content['application/json'].examples ?? { none: {} });
    for (const [at, { summary, value }] of examples.entries()) {
      const lines = [`### ${summary ?? operation.summary} (${scopes})`];
      if (options.length) lines.push(`# Parameters: ${options.map(({ name }) => name).join(', ')}`);
      const body = value && `Content-Type: application/json\n\n${JSON.stringify(value, null, 2)}\n`;
      console.log(`\n${lines.join('\n')}\n${ids.join('')}${method.toUpperCase()} {{url}}${target}\n${headers.join('\n').replace('-N', `-${at + 1}`)}${body ? `\n${body}` : '\n'}`.trimEnd());
    }
  }
}
