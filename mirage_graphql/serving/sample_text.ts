import { createRandom, type Random } from "./random.ts";
import {
  CITIES,
  COLOURS,
  COMPANIES,
  COUNTRIES,
  FIRST_NAMES,
  LAST_NAMES,
  NOUNS,
  STREETS,
  WORDS,
} from "./words.ts";

/** Where a made-up value goes. */
export interface SamplePlace {
  /** Name of the type that has the field. */
  readonly typeName: string;
  readonly fieldName: string;
  /** Which record of the type it is, from 0. */
  readonly index: number;
}

const PEOPLE =
  /person|people|user|author|customer|employee|member|contact|student|teacher|actor|guest|owner|patient|player|manager|friend|profile|account|admin|writer|editor|artist/i;

type Sample = (random: Random, place: SamplePlace) => string;

/** By the field's name in small letters; the first that fits. */
const SAMPLES: readonly [RegExp, Sample][] = [
  [/e?mail/, (_random, place) => `${handle(place)}@example.com`],
  [
    /(user|login|nick|screen|account)_?name|^(login|handle|nickname)$/,
    (_random, place) => handle(place),
  ],
  [/(first|given)_?name/, (_random, place) => personOf(place).first],
  [/(last|sur|family)_?name/, (_random, place) => personOf(place).last],
  [/(full|display|contact|author)_?name|^(author|by|owner)$/, (_random, place) => fullName(place)],
  [/company|employer|organi[sz]ation|brand|vendor|publisher/, (random) => random.pick(COMPANIES)],
  [/(file)_?name/, (random) => `${random.pick(NOUNS)}.pdf`],
  [
    /^name$|label$/,
    (_random, place) => PEOPLE.test(place.typeName) ? fullName(place) : title(place),
  ],
  [
    /avatar|image|photo|picture|thumbnail|logo|icon/,
    (random, { index }) => `https://example.com/images/${random.pick(NOUNS)}-${index + 1}.png`,
  ],
  [
    /url|uri|website|link|href|homepage/,
    (random, { index }) => `https://example.com/${random.pick(NOUNS)}-${index + 1}`,
  ],
  [/phone|mobile|fax|^tel$/, (random) => `+1-202-555-01${random.integer(10, 99)}`],
  [
    /slug|path|^key$/,
    (random, { index }) => `${random.pick(WORDS)}-${random.pick(NOUNS)}-${index + 1}`,
  ],
  [/city|town/, (random) => random.pick(CITIES)],
  [/country|nation/, (random) => random.pick(COUNTRIES)],
  [/street|address/, (random) => `${random.integer(1, 99)} ${random.pick(STREETS)}`],
  [/zip|postal|postcode/, (random) => String(random.integer(10_000, 99_999))],
  [/currency/, (random) => random.pick(["EUR", "USD", "GBP", "JPY"])],
  [/locale|language|^lang$/, (random) => random.pick(["en", "de", "fr", "ja"])],
  [/time_?zone/, (random) => random.pick(["Europe/Oslo", "Asia/Tokyo", "America/Lima"])],
  [/colou?r/, (random) => random.pick(COLOURS)],
  [/uuid|guid|token|hash|secret/, (random) => uuid(random)],
  [/^ip|ip_?address/, (random) => `192.0.2.${random.integer(1, 254)}`],
  [
    /version/,
    (random) => `${random.integer(0, 4)}.${random.integer(0, 9)}.${random.integer(0, 9)}`,
  ],
  [
    /sku|isbn|serial|^code$|number$/,
    (random) => `${random.integer(100, 999)}-${random.integer(1000, 9999)}`,
  ],
  [
    /(_at|date|_on|time|birthday|timestamp)$|^(created|updated|published|date)/,
    (random) => dateTime(random),
  ],
  [/status|state/, (random) => random.pick(["active", "pending", "archived"])],
  [/title|headline|subject|heading|name$/, (_random, place) => title(place)],
  [
    /description|body|text|content|summary|bio|comment|message|note|about|excerpt/,
    (random) => sentence(random),
  ],
];

/** Makes up a text that looks like what the field's name says. */
export function sampleText(place: SamplePlace): string {
  const random = createRandom(`${place.typeName}.${place.fieldName}.${place.index}`);
  const name = place.fieldName.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  const [, sample] = SAMPLES.find(([pattern]) => pattern.test(name)) ?? [];
  return sample?.(random, place) ?? phrase(place);
}

/** A point in time of the years 2023 and 2024, as ISO 8601 writes it. */
export function dateTime(random: Random): string {
  const start = Date.UTC(2023, 0, 1);
  return new Date(start + random.integer(0, 731 * 24 * 60) * 60_000).toISOString();
}

/** A UUID of version 4. */
export function uuid(random: Random): string {
  const digits = (count: number) =>
    Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join("");
  return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
}

/** Two records of a type are two people, and one record is one person in all its fields. */
function personOf({ typeName, index }: SamplePlace): { first: string; last: string } {
  const start = createRandom(typeName).integer(0, 55);
  const first = FIRST_NAMES[(start + index) % FIRST_NAMES.length] ?? "";
  const last = LAST_NAMES[(start + index) % LAST_NAMES.length] ?? "";
  return { first, last };
}

function fullName(place: SamplePlace): string {
  const { first, last } = personOf(place);
  return `${first} ${last}`;
}

function handle(place: SamplePlace): string {
  return fullName(place).toLowerCase().replace(" ", ".");
}

/** Records of a type that follow each other have different words. */
function phrase({ typeName, fieldName, index }: SamplePlace): string {
  const start = createRandom(`${typeName}.${fieldName}`).integer(0, 63);
  const word = WORDS[(start + index) % WORDS.length];
  const noun = NOUNS[(Math.floor(start / 8) + index * 3) % NOUNS.length];
  return `${word} ${noun}`;
}

function title(place: SamplePlace): string {
  const text = phrase(place);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function sentence(random: Random): string {
  const [word, noun] = [random.pick(WORDS), random.pick(NOUNS)];
  return `The ${word} ${noun} stands by the ${random.pick(NOUNS)} of ${random.pick(CITIES)}.`;
}
