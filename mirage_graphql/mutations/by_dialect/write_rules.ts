import type { Orm } from "../../orm/orm.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import type { WriteRules } from "../mutation.ts";
import { createMutationNames, createMutationWords } from "../mutation_name.ts";
import type { TypedField, TypedIntent } from "../typed_intent.ts";
import type { Refusal, WriteIntent } from "../write_intent.ts";
import { createDialectRules } from "./dialect_rules.ts";
import { createNestedOperations } from "./nested_operations.ts";
import { createNestedConventions } from "./nested_writes.ts";
import { type Changes, createChanges } from "./value_changes.ts";

/**
 * Guesses what a mutation does by the words in its name, unless a rule says that.
 */
export type GuessIntent = (
  orm: Orm & WriteContext,
  changes: Changes,
  subject: TypedField,
  said: Said,
) => WriteIntent | Refusal;

/** What is said about a mutation before its name is guessed. */
export interface Said {
  /** What its types alone say. */
  readonly typed: TypedIntent | Refusal;
  /** What the rules of dialects say, if one has its name. */
  readonly ruled: WriteIntent | Refusal | undefined;
}

/** The rules of the mutations of one handler: those of its dialects, and guesses if one has words. */
export function createWriteRules(orm: Orm, guessIntent?: GuessIntent): WriteRules {
  const { dialects } = orm.conventions;
  const changes = createChanges(dialects);
  const nested = createNestedConventions(orm, createNestedOperations(dialects), changes);
  const context = { ...orm, nested };
  const ruled = createDialectRules(context, changes);
  const names = createMutationNames(orm.models.models, createMutationWords(dialects));
  const guess = dialects.some(({ words }) => words !== undefined) ? guessIntent : undefined;
  return {
    nested,
    names,
    interpret(subject, typed) {
      const intent = ruled(subject);
      if (guess !== undefined) return guess(context, changes, subject, { typed, ruled: intent });
      if (intent !== undefined && !("reason" in intent)) return intent;
      return "reason" in typed ? intent ?? typed : typed;
    },
    followed(subject) {
      const intent = ruled(subject);
      return intent === undefined || "reason" in intent ? undefined : intent.follows;
    },
  };
}
