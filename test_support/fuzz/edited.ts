import fc from "fast-check";

/** One change of a text. */
interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** Characters at which readers of texts err. */
const ODD = fc.constantFrom(
  ..." \t\r\n\0\"'\\#=,;:!*?|@/%+-.[]{}()<>$&~`0aZ".split(""),
  "\v",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "é",
  "𝟘",
  "\ud800",
);

const EDIT: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(10_000),
  remove: fc.constantFrom(0, 0, 1, 2, 10),
  insert: fc.oneof(
    fc.constant(""),
    ODD,
    fc.array(ODD, { maxLength: 4 }).map((all) => all.join("")),
  ),
});

/** Functions that make a few changes of a text. */
export function edits(most = 3): fc.Arbitrary<(text: string) => string> {
  return fc.array(EDIT, { minLength: 1, maxLength: most })
    .map((changes) => (text) => changes.reduce(apply, text));
}

/** Texts with a few changes: nearly what they were. */
export function edited(texts: fc.Arbitrary<string>, most = 3): fc.Arbitrary<string> {
  return fc.tuple(texts, edits(most)).map(([text, edit]) => edit(text));
}

function apply(text: string, { at, remove, insert }: Edit): string {
  const from = at % (text.length + 1);
  return text.slice(0, from) + insert + text.slice(from + remove);
}
