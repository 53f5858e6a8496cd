/**
 * The key of the method that converts an object with records to what user-defined resolvers
 * receive.
 */
export const TO_RESOLVER_VALUE: unique symbol = Symbol("to resolver value");

/** Converts a value to what user-defined resolvers receive. */
export type ToResolverValue = (value: unknown) => unknown;

/** An object with records that can be converted, such as a page of them. */
export interface Convertible {
  /** What user-defined code receives, with its records converted by the function. */
  [TO_RESOLVER_VALUE](show: ToResolverValue): unknown;
}

/** Whether an object with records can be converted. */
export function isConvertible(value: object): value is Convertible {
  return TO_RESOLVER_VALUE in value;
}
