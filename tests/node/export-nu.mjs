// The Nu checker: no error, no warning, no information (trailing slashes) about
// any page. One Java process for all.
//
// --no-langdetect: the checker guesses a text's language, and warns where the
// guess is not what `lang` says. That is about the text alone (an article that
// was never translated), whose language is its author's to say; publishing check
// 13 looks at it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vnu from 'vnu-jar';

export function check(samples, report, folder) {
	const files = new Map();
	mkdirSync(join(folder, 'pages'));
	samples.forEach((sample, i) => {
		const path = join(folder, 'pages', `${i}.html`);
		writeFileSync(path, sample.page);
		files.set(pathToFileURL(path).href, sample);
	});
	const done = spawnSync('java', ['-Xss4m', '-XX:TieredStopAtLevel=1',
		'-jar', vnu, '--no-langdetect', '--exit-zero-always', '--stdout',
		'--format', 'json', join(folder, 'pages')],
	{ encoding: 'utf8', maxBuffer: 1 << 28 });
	if (done.status !== 0)
		throw new Error(`vnu: ${done.error ?? done.stderr}`);
	for (const message of JSON.parse(done.stdout).messages) {
		const url = message.url?.replace(/^file:\/*/, 'file:///');
		const sample = files.get(url);
		const says = `${message.subType ?? message.type}: `
			+ `${message.message} ${message.extract ?? ''}`;
		if (sample === undefined)
			throw new Error(`vnu: ${says}`);
		report(sample, says);
	}
}
