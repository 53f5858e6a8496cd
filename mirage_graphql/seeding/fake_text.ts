import { wordsOf } from "../shared/names.ts";
import { currencyOf, placeOf } from "./fake_places.ts";
import { dateTimeOf, type FakeField, type Fakes, fakesFor, personOf } from "./fakes.ts";

const PEOPLE =
  /person|people|user|author|customer|employee|member|contact|student|teacher|actor|guest|owner|patient|player|manager|friend|profile|account|admin|writer|editor|artist|doctor|driver|speaker/i;
const PRODUCTS = /product|item|article|goods|merchandise|variant|sku/i;

type Generator = (fakes: Fakes, field: FakeField) => string;

/** Names and titles, by the type's name; the first match counts. */
const NAMES_BY_TYPE: readonly [RegExp, Generator][] = [
  [PEOPLE, (_fakes, field) => fullName(field)],
  [PRODUCTS, (_fakes, field) => productName(field)],
  [/company|employer|organi[sz]ation|brand|vendor|publisher|shop|store/i, (f) => f.company.name()],
  [/book|novel/i, (fakes) => fakes.book.title()],
  [/song|track/i, (fakes) => fakes.music.songName()],
  [/album/i, (fakes) => fakes.music.album()],
  [/genre/i, (fakes) => fakes.music.genre()],
  [/dog|cat$|pet|animal/i, (fakes) => fakes.animal.petName()],
  [/vehicle|^car$/i, (fakes) => fakes.vehicle.vehicle()],
  [/recipe|dish|meal/i, (fakes) => capitalize(fakes.food.dish())],
  [/ingredient/i, (fakes) => capitalize(fakes.food.ingredient())],
  [/airport/i, (fakes) => fakes.airline.airport().name],
  [/department|category/i, (fakes) => fakes.commerce.department()],
  [/city|town/i, (_fakes, field) => placeOf(field).city],
  [/country|nation/i, (_fakes, field) => placeOf(field).country],
];

/**
 * Generators by the field's name in lower case, with words separated by underscores; the first
 * match counts.
 */
const GENERATORS: readonly [RegExp, Generator][] = [
  [/e?mail/, (_fakes, field) => email(field)],
  [/^identifier$/, (fakes, field) => PEOPLE.test(field.typeName) ? email(field) : slug(fakes)],
  [
    /(user|login|nick|screen|account)_?name|^(login|handle|nickname)$/,
    (_f, field) => handle(field),
  ],
  [/(first|given)_?name/, (_fakes, field) => personOf(field).first],
  [/(last|sur|family)_?name/, (_fakes, field) => personOf(field).last],
  [/(full|display|contact|author)_?name|^(author|by|owner)$/, (_fakes, field) => fullName(field)],
  [/initials/, (_fakes, field) => initials(field)],
  [/gender|^sex$/, (fakes) => fakes.person.sex()],
  [/job_?title|^(job|occupation|profession|position|role)$/, (fakes) => fakes.person.jobTitle()],
  [/company|employer|organi[sz]ation|brand|vendor|publisher/, (fakes) => fakes.company.name()],
  [/department/, (fakes, { typeName }) => department(fakes, typeName)],
  [/category/, (fakes) => fakes.commerce.department()],
  [/product(_?name)?$/, (_fakes, field) => productName(field)],
  [/material/, (fakes) => fakes.commerce.productMaterial()],
  [/file_?name/, (fakes) => fakes.system.commonFileName("pdf")],
  [/slogan|tagline|catch_?phrase/, (fakes) => fakes.company.catchPhrase()],
  [/avatar|image|photo|picture|thumbnail|logo|icon/, (fakes, field) => image(fakes, field)],
  [/url|uri|website|link|href|homepage/, (fakes) => `https://example.com/${slug(fakes)}`],
  [/phone|mobile|fax|^tel$/, (fakes) => `+1-202-555-01${fakes.string.numeric(2)}`],
  [/slug|path|^key$/, (fakes) => slug(fakes)],
  [/time_?zone/, (_fakes, field) => placeOf(field).timeZone],
  [/city|town/, (_fakes, field) => placeOf(field).city],
  [/country_?code|nationality_?code/, (_fakes, field) => placeOf(field).countryCode],
  [/country|nation/, (_fakes, field) => placeOf(field).country],
  [/province|region|county/, (_fakes, field) => placeOf(field).region],
  [/^ip|ip_?address/, (fakes) => `192.0.2.${fakes.number.int({ min: 1, max: 254 })}`],
  [/street|address/, (fakes, field) => streetAddress(fakes, field)],
  [/zip|postal|postcode/, (_fakes, field) => placeOf(field).postcode],
  [/currency/, (_fakes, field) => currencyOf(field)],
  [/locale/, (_fakes, field) => placeOf(field).locale],
  [/language|^lang$/, (_fakes, field) => placeOf(field).locale.slice(0, 2)],
  [/colou?r/, (fakes) => fakes.color.human()],
  [/uuid|guid|token|hash|secret/, (fakes) => fakes.string.uuid()],
  [/version/, (fakes) => [4, 9, 9].map((max) => fakes.number.int({ max })).join(".")],
  [/isbn/, (fakes) => fakes.commerce.isbn()],
  [/^code$/, (fakes, field) => code(fakes, field)],
  [/sku|serial|number$/, (fakes) => fakes.helpers.replaceSymbols("###-####")],
  [/(^|_)(date|day|birthday)$/, (_fakes, field) => dateTimeOf(field).slice(0, 10)],
  [
    /(_at|date|_on|time|birthday|timestamp)$|^(created|updated|published|date|start|end)/,
    (_fakes, field) => dateTimeOf(field),
  ],
  [/^state$/, (fakes, field) => isAddress(field) ? placeOf(field).region : status(fakes)],
  [/status|state/, (fakes) => status(fakes)],
  [/^bio|about$/, (fakes) => capitalize(fakes.person.bio())],
  [/^name$|^label$|title|headline|subject|heading|name$/, (fakes, field) => title(fakes, field)],
  [/description/, (fakes, field) => description(fakes, field)],
  [/body|text|content|article/, (fakes) => fakes.lorem.paragraph(3)],
  [/summary|comment|message|note|about|excerpt|caption|reason/, (fakes) => fakes.lorem.sentence()],
];

/** Generates a text that looks like what the field's name says. */
export function fakeText(field: FakeField): string {
  const fakes = fakesFor(`${field.typeName}.${field.fieldName}.${field.index}`);
  const name = wordsOf(field.fieldName).join("_");
  const [, generate] = GENERATORS.find(([pattern]) => pattern.test(name)) ?? [];
  return generate?.(fakes, field) ?? phrase(fakes);
}

function fullName(field: FakeField): string {
  const { first, last } = personOf(field);
  return `${first} ${last}`;
}

function handle(field: FakeField): string {
  return fullName(field).toLowerCase().replace(" ", ".");
}

function email(field: FakeField): string {
  return `${handle(field)}@example.com`;
}

function initials(field: FakeField): string {
  const { first, last } = personOf(field);
  return `${first.slice(0, 1)}${last.slice(0, 1)}`;
}

function title(fakes: Fakes, field: FakeField): string {
  const [, generate] = NAMES_BY_TYPE.find(([pattern]) => pattern.test(field.typeName)) ?? [];
  return generate?.(fakes, field) ?? capitalize(phrase(fakes));
}

function isAddress({ typeName }: FakeField): boolean {
  return /address|location|place/i.test(typeName);
}

const DEPARTMENTS = ["Engineering", "Sales", "Finance", "Support", "Design", "Operations"];

/** People work in departments of companies, products are sold in those of shops. */
function department(fakes: Fakes, typeName: string): string {
  return PEOPLE.test(typeName)
    ? fakes.helpers.arrayElement(DEPARTMENTS)
    : fakes.commerce.department();
}

function productName({ typeName, index }: FakeField): string {
  return fakesFor(`${typeName}.${index} product`).commerce.productName();
}

/** The description of a product contains its name. */
function description(fakes: Fakes, field: FakeField): string {
  if (!PRODUCTS.test(field.typeName)) return fakes.lorem.sentence();
  const praise = fakes.helpers.arrayElement([
    "is made to last, and easy to repair",
    "has won several awards for its design",
    "comes with a warranty of two years",
    "is delivered within three days",
  ]);
  return `The ${productName(field)} ${praise}.`;
}

function phrase(fakes: Fakes): string {
  const words = { length: { min: 3, max: 8 }, strategy: "closest" } as const;
  return `${fakes.word.adjective(words)} ${fakes.word.noun(words)}`;
}

function slug(fakes: Fakes): string {
  return fakes.helpers.slugify(phrase(fakes)).toLowerCase();
}

function status(fakes: Fakes): string {
  return fakes.helpers.arrayElement(["active", "pending", "archived"]);
}

/** The code of a country is that of its place. */
function code(fakes: Fakes, field: FakeField): string {
  if (/country|nation/i.test(field.typeName)) return placeOf(field).countryCode;
  return fakes.helpers.replaceSymbols("###-####");
}

function streetAddress(fakes: Fakes, field: FakeField): string {
  return `${fakes.number.int({ min: 1, max: 99 })} ${placeOf(field).street}`;
}

/** An SVG in a data URL, so that no request leaves the machine: initials for people. */
function image(fakes: Fakes, field: FakeField): string {
  const isPerson = PEOPLE.test(field.typeName) || /avatar/i.test(field.fieldName);
  const label = isPerson ? initials(field) : field.typeName;
  const hue = fakes.number.int({ min: 0, max: 359 });
  // two thirds of a square are seen where a page crops it
  const size = Math.min(40, Math.floor(96 / Math.max(1, label.length)));
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">` +
    `<rect width="100%" height="100%" fill="hsl(${hue} 45% 40%)"/>` +
    `<text x="50%" y="50%" fill="#fff" font-family="sans-serif" font-size="${size}" ` +
    `text-anchor="middle" dominant-baseline="central">${label}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
