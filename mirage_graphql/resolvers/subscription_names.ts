import type { ChangeKind } from "../orm/records/record_changes.ts";

/** What the name of a subscription's field may tell of. */
export interface SubscriptionName {
  /** Name of the type in small letters, without separators. */
  readonly typeKey: string;
  readonly kind: ChangeKind;
}

const PARTICIPLES = new Map<string, ChangeKind>([
  ["created", "created"],
  ["added", "created"],
  ["updated", "updated"],
  ["changed", "updated"],
  ["deleted", "deleted"],
  ["removed", "deleted"],
]);

const IMPERATIVES = new Map<string, ChangeKind>([
  ["create", "created"],
  ["add", "created"],
  ["update", "updated"],
  ["change", "updated"],
  ["delete", "deleted"],
  ["remove", "deleted"],
]);

/**
 * Reads the name of a subscription's field: `personCreated` and `createdPerson`, with or without
 * `on` before it, in any casing; after `on`, `createPerson` and `personCreate` too. Added, changed
 * and removed are the same as created, updated and deleted.
 */
export function subscriptionNames(fieldName: string): SubscriptionName[] {
  const words = toWords(fieldName);
  const rest = words[0] === "on" && words.length > 2 ? words.slice(1) : words;
  const verbs = rest === words ? PARTICIPLES : new Map([...PARTICIPLES, ...IMPERATIVES]);
  const [first = "", ...afterFirst] = rest;
  const last = rest.at(-1) ?? "";
  const read = (verb: string, others: readonly string[]): SubscriptionName[] => {
    const kind = verbs.get(verb);
    return kind === undefined || others.length === 0 ? [] : [{ typeKey: others.join(""), kind }];
  };
  return [...read(last, rest.slice(0, -1)), ...read(first, afterFirst)];
}

function toWords(name: string): string[] {
  return name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase().split(/[ _]+/).filter((word) => word !== "");
}
