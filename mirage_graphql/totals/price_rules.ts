import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import type { RelationReader } from "../orm/writes/related_record.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import { isMoney } from "./money.ts";

/** A field with an amount of money, of a record or of an object that it has. */
export interface PriceField {
  /** The name of the field, after that of the object. */
  readonly path: readonly string[];
  /** The name of its type: only amounts of one type are added up. */
  readonly type: string;
  /** A word such as `discounted`; empty if its name has none. */
  readonly kind: string;
  /** `tax` if its name says that it has one; else empty. */
  readonly tax: string;
}

/** A record with a quantity, and its prices. */
export interface LineRule {
  readonly model: MockModel;
  readonly quantity: string;
  /** The prices of one piece, and of all. */
  readonly units: readonly PriceField[];
  readonly totals: readonly PriceField[];
  /** Taxes and discounts. */
  readonly extras: readonly PriceField[];
  /** What the line is about, if that has prices. */
  readonly item:
    | { readonly relation: Relation; readonly prices: readonly PriceField[] }
    | undefined;
}

/** A record whose totals are those of the lines in its only list of some. */
export interface OwnerRule {
  readonly owner: MockModel;
  readonly relation: Relation;
  /** The names of the sums of quantities. */
  readonly quantities: readonly string[];
  readonly subtotals: readonly PriceField[];
  readonly totals: readonly PriceField[];
  readonly shipping: readonly PriceField[];
  readonly extras: readonly PriceField[];
}

/** Which records are lines, by their models, and which have lists of such. */
export interface PriceRules {
  readonly lines: ReadonlyMap<string, LineRule>;
  readonly owners: readonly OwnerRule[];
}

/**
 * Matches the names of prices, without underscores: a word such as `discounted`, what they are, and
 * whether that is with a tax.
 */
function priceNamed(core: string): RegExp {
  return new RegExp(
    `^(discounted|undiscounted|prorated)?(?:${core})(?:(?:with|incl?|including|after)(tax))?$`,
    "i",
  );
}

const UNIT = priceNamed(
  "(?:unit|item)price|unit(?:cost|amount)|(?:price|amount|cost)per(?:unit|item|quantity)",
);
const PRICE = priceNamed("price");
const LINE = priceNamed(
  "(?:line|row|item)?(?:sub)?total(?:price|amount|cost)?|(?:line|row)(?:price|amount|cost)",
);
const SUBTOTAL = priceNamed(
  "(?:(?:cart|order)?sub|items?|lines?|products?)total(?:price|amount|cost)?",
);
const TOTAL = priceNamed("(?:cart|order|checkout|grand)?total(?:price|amount|cost)?");
const SHIPPING = priceNamed("shipping(?:price|amount|cost|total)?");
const EXTRA = priceNamed("(?:total|line)?(?:tax(?:es)?|discount|dut(?:y|ies))(?:amount|total)?");
const QUANTITY = /^(?:(?:total|sum|overall)(?:of)?)?(?:quantity|qty)(?:total|sum)?$/i;
/** An object of a record that has prices. */
const HOLDER = /cost|pric|total|amount|summary/i;
const LINE_TYPE = /(line|item|entry|row|detail)$/i;

/** What price rules need of the two schemas. */
export interface PriceContext extends Pick<WriteContext, "graphQLSchema" | "models"> {
  readonly relationsOf: RelationReader;
}

/**
 * Which prices of records follow others, where types say that plainly: a line has a quantity, and a
 * unit price of its own or of what it is about; a record with one list of lines has totals.
 */
export function createPriceRules(context: PriceContext): PriceRules {
  const { graphQLSchema, models: { models } } = context;
  const lines = new Map(
    models.flatMap((model) => lineRule(context, model) ?? [])
      .map((rule) => [rule.model.modelName, rule]),
  );
  const owners = models.flatMap((owner): readonly OwnerRule[] => {
    const own = lines.get(owner.modelName);
    const isLine = own !== undefined && (own.units.length > 0 || own.item !== undefined);
    const lists = isLine ? [] : [...owner.relations.values()].filter(({ isList }) => isList);
    const [found, ...others] = lists.flatMap((relation) => {
      const model = targetsOf(context, owner, relation).find((one) => lines.has(one.modelName));
      return model === undefined ? [] : [{ relation, model }];
    });
    if (found === undefined || others.length > 0) return [];
    const prices = (pattern: RegExp) => pricesOf(graphQLSchema, owner, pattern);
    return [{
      ...{ owner, relation: found.relation },
      quantities: numbersOf(graphQLSchema, owner)
        .filter((name) => QUANTITY.test(name.replaceAll("_", ""))),
      ...{ subtotals: prices(SUBTOTAL), totals: prices(TOTAL), shipping: prices(SHIPPING) },
      extras: prices(EXTRA),
    }];
  });
  return { lines, owners };
}

function lineRule(context: PriceContext, model: MockModel): LineRule | undefined {
  const { graphQLSchema } = context;
  const quantity = numbersOf(graphQLSchema, model).find((name) => /^(quantity|qty)$/i.test(name));
  if (quantity === undefined) return undefined;
  const rule = { model, quantity, units: [], totals: [], extras: [], item: undefined };
  const [item, ...others] = [...model.relations.values()].flatMap((relation) => {
    const targets = relation.isList ? [] : targetsOf(context, model, relation);
    const prices = targets.map((one) => pricesOf(graphQLSchema, one, PRICE));
    const found = prices.find((some) => some.length > 0);
    return found === undefined ? [] : [{ relation, prices: found }];
  });
  const isPriced = LINE_TYPE.test(model.typeName) || item !== undefined;
  // a fraction of a piece has no exact price
  const isWhole = numbersOf(graphQLSchema, model, /^Int$/).includes(quantity);
  if (!isPriced || !isWhole) return rule;
  const units = pricesOf(graphQLSchema, model, UNIT);
  return {
    ...rule,
    units: units.length > 0 ? units : pricesOf(graphQLSchema, model, PRICE),
    totals: pricesOf(graphQLSchema, model, LINE),
    extras: pricesOf(graphQLSchema, model, EXTRA),
    item: others.length === 0 ? item : undefined,
  };
}

/** The models to which a relation may lead. */
function targetsOf(
  { models, relationsOf }: PriceContext,
  owner: MockModel,
  relation: Relation,
): readonly MockModel[] {
  return relationsOf.targets(owner, relation).flatMap((name) => models.ofModel(name) ?? []);
}

/** The prices of a record whose names fit, and those in its objects that are about prices. */
function pricesOf(
  graphQLSchema: GraphQLSchema,
  { typeName, relations }: MockModel,
  pattern: RegExp,
): readonly PriceField[] {
  return fieldsOf(graphQLSchema, typeName).flatMap((field) => {
    if (relations.has(field.name)) return [];
    const own = priceOf(field, pattern, []);
    const isHolder = HOLDER.test(field.name) && own.length === 0;
    const inner = isHolder ? fieldsOf(graphQLSchema, getNamedType(field.type).name) : [];
    return [...own, ...inner.flatMap((one) => priceOf(one, pattern, [field.name]))];
  });
}

function priceOf(
  { name, type }: Field,
  pattern: RegExp,
  holder: readonly string[],
): readonly PriceField[] {
  const match = pattern.exec(name.replaceAll("_", ""));
  const named = getNamedType(type);
  if (match === null || !isMoney(named)) return [];
  const [, kind = "", tax = ""] = match;
  return [{ path: [...holder, name], type: named.name, kind, tax }];
}

/** The names of the fields that are numbers. */
function numbersOf(
  graphQLSchema: GraphQLSchema,
  { typeName }: MockModel,
  types = /^(Int|Float)$/,
): readonly string[] {
  return fieldsOf(graphQLSchema, typeName)
    .filter(({ type }) => types.test(getNamedType(type).name)).map(({ name }) => name);
}

type Field = GraphQLField<unknown, unknown>;

/** The fields of a type that return one value without arguments. */
function fieldsOf(graphQLSchema: GraphQLSchema, typeName: string): readonly Field[] {
  const type = graphQLSchema.getType(typeName);
  return Object.values(isObjectType(type) ? type.getFields() : {})
    .filter(({ type, args }) =>
      !isListType(getNullableType(type)) && !args.some(isRequiredArgument)
    );
}
