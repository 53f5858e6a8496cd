import { wordsOf } from "../shared/names.ts";
import type { Faker, Randomizer } from "@faker-js/faker";
import { faker as english } from "@faker-js/faker/locale/en";

/** A field of one generated record. */
export interface FakeField {
  /** Name of the type that has the field. */
  readonly typeName: string;
  readonly fieldName: string;
  /** Position of the record among those of its type, from 0. */
  readonly index: number;
  /** Name of the record's type, if the field belongs to an embedded object. */
  readonly ownerName?: string;
}

/** The generator of values. */
export type Fakes = Faker;

/**
 * The library's generator with a randomizer that is seeded a hundred times as fast as the library's
 * own.
 */
const faker: Faker = Reflect.construct(english.constructor, [{
  locale: english.rawDefinitions,
  randomizer: createRandomizer(),
}]);

/** Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function createRandomizer(): Randomizer {
  let state = 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    seed(seed) {
      state = Array.isArray(seed) ? seed[0] ?? 0 : seed;
    },
  };
}

/** The user's seed, which is appended to all seed texts; empty for seed 0. */
let prefix = "";

/** Generates values with another seed; the function must be synchronous. */
export function withSeed<T>(seed: number, act: () => T): T {
  const before = prefix;
  prefix = seed === 0 ? "" : `${seed} `;
  try {
    return act();
  } finally {
    prefix = before;
  }
}

/**
 * Seeds the generator with a text, such as the name of a field, so that values depend on nothing
 * else. There is one generator: use it before the next call reseeds it.
 */
export function fakesFor(text: string): Fakes {
  faker.seed(hash(text));
  return faker;
}

/** One of the values, a different one for each record until all are used. */
export function pickFor<T>(values: readonly [T, ...T[]], { typeName, index }: FakeField): T {
  return values[(hash(typeName) + index) % values.length] ?? values[0];
}

/** FNV-1a, as a positive number. */
function hash(value: string): number {
  const text = prefix + value;
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return state >>> 0;
}

/** The name of the person that one record is about, in all its fields. */
export interface FakePerson {
  readonly first: string;
  readonly last: string;
}

/** The person of a record; the records of a type are different people. */
export function personOf({ typeName, index }: FakeField): FakePerson {
  const start = hash(typeName);
  const nameAt = (names: readonly string[], step: number) =>
    names[(start + index * step) % names.length] ?? "";
  return { first: nameAt(FIRST_NAMES, 97), last: nameAt(LAST_NAMES, 61) };
}

const FIRST_NAMES = plainNames(faker.rawDefinitions.person?.first_name?.generic);
const LAST_NAMES = plainNames(faker.rawDefinitions.person?.last_name?.generic);

/** The names that an email address can contain unchanged. */
function plainNames(names: readonly string[] = []): readonly string[] {
  return names.filter((name) => /^[A-Z][a-z]+$/.test(name));
}

/** How a point in time relates to the creation of its record, by the name of its field. */
const STAGES: readonly [
  RegExp,
  days: readonly [number, number],
  hours: readonly [number, number],
][] = [
  [/creat|add|regist|join|hire|start|begin|^from|open|since|order|issue/, [0, 0], [0, 0]],
  [/updat|modif|edit|chang|seen|login|end|finish|complet|clos|until|^to$|deliver/, [14, 90], [
    5,
    9,
  ]],
  [/expir|due|delet|archiv|cancel|return|check_?out/, [91, 180], [5, 9]],
];

/** Between creation and the last change. */
const MIDDLE = { days: [1, 13], hours: [1, 4] } as const;

const DAY_MS = 86_400_000;

/** The date from which ages are counted. */
const TODAY = Date.UTC(2025, 0, 1);

/**
 * A point in time in 2023 or 2024, as ISO 8601 writes it. Those of one record are in order,
 * including their times of day: `createdAt` comes before `updatedAt`, `start` before `end`.
 */
export function dateTimeOf(field: FakeField): string {
  const name = wordsOf(field.fieldName).join("_");
  if (/birth|born|^dob/.test(name)) return birthOf(field).toISOString();
  const created = fakesFor(`${field.typeName}.${field.index} created`);
  const start = Date.UTC(2023, 0, 1) + created.number.int({ min: 0, max: 500 }) * DAY_MS;
  const startMs = created.number.int({ min: 8 * 60, max: 12 * 60 }) * 60_000;
  const [, days = MIDDLE.days, hours = MIDDLE.hours] =
    STAGES.find(([pattern]) => pattern.test(name)) ?? [];
  const later = fakesFor(`${field.typeName}.${name}.${field.index} later`);
  const between = ([min, max]: readonly [number, number]) => later.number.int({ min, max });
  return new Date(start + startMs + between(days) * DAY_MS + between(hours) * 3_600_000)
    .toISOString();
}

/** The age of the person that a record is about, from 18 to 80. */
export function ageOf({ typeName, index }: FakeField): number {
  return fakesFor(`${typeName}.${index} age`).number.int({ min: 18, max: 80 });
}

function birthOf(field: FakeField): Date {
  const birth = new Date(TODAY);
  birth.setUTCFullYear(birth.getUTCFullYear() - ageOf(field));
  const days = fakesFor(`${field.typeName}.${field.index} birthday`).number.int({
    min: 0,
    max: 364,
  });
  return new Date(birth.getTime() - days * DAY_MS);
}
