import fc from "fast-check";
import { edited } from "./edited.ts";

/** Values for the headers of a request, by the name of the header. */
export type HeaderValues = Readonly<Record<string, readonly string[]>>;

/** Texts with a few changes, of which a header can have any: visible characters and spaces. */
export function editedHeader(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return edited(texts).map((text) => text.replaceAll(/[^\x20-\x7e]/g, ""));
}

/** Headers with one of their values, which one of four times has a few changes. */
export function headerFields(
  values: HeaderValues,
): fc.Arbitrary<[name: string, value: string]> {
  return fc.constantFrom(...Object.entries(values)).chain(([name, known]) => {
    const value = fc.constantFrom(...known);
    return fc.tuple(
      fc.constant(name),
      fc.oneof({ weight: 3, arbitrary: value }, editedHeader(value)),
    );
  });
}
