/* The visual view: the document of a text, drawn where a person writes in it. The caller has the
 * text area, and the server's word on the blocks; it is told when the text has changed. */
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { commands, plugins } from './kit.js';
import { read, write } from './source.js';

/* Opens the view in an element. `text` and `blocks`: what it shows; `labelledby`: the id of its
 * name; `lang`: of the article; `changed()`: a person changed something. Returns null where the
 * text would not come back to the letter, else what the page does with it. */
export function open(place, { text, blocks, labelledby, lang, changed }) {
	const opened = read(text, blocks);
	if (opened === null)
		return null;
	const { doc, map } = opened;
	const view = new EditorView({ mount: place }, {
		state: EditorState.create({
			doc,
			plugins: [...plugins, history({ depth: 200 }),
				dropCursor({ color: false, class: 'drop-place' }), gapCursor()]
		}),
		attributes: {
			role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelledby,
			lang, spellcheck: 'true', 'data-ready': '1'
		},
		dispatchTransaction(tr) {
			view.updateState(view.state.apply(tr));
			if (tr.docChanged)
				changed();
		}
	});
	return {
		text: () => write(view.state.doc, map),
		focus: () => view.focus(),
		run: (name) => commands.has(name) &&
			commands.get(name)(view.state, view.dispatch.bind(view), view),
		close: () => view.destroy()
	};
}
