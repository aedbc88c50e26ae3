/* Returns a new element with these attributes and what is in it: elements, and strings as text. */
export function make(name, attributes, ...inner) {
	const node = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		node.setAttribute(key, value);
	node.append(...inner);
	return node;
}
