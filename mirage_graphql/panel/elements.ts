/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Attributes and listeners of an element; `false` and `undefined` leave one out. */
export type Properties = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

/**
 * Creates an element. Texts are always text, whatever they contain, and a function is a listener of
 * the event that it is named after.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}
