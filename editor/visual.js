/* The visual view of the editor, as one script: the page opens it over its text area. */
import { page } from './page.js';
import { open } from './view.js';

window.galleyVisual = { open, page };
