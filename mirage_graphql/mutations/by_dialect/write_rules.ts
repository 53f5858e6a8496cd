import type { Orm } from "../../orm/orm.ts";
import type { WriteRules } from "../mutation.ts";
import { createMutationNames } from "../mutation_name.ts";
import { createMutationWords } from "../mutation_words.ts";
import { isRefusal } from "../write_intent.ts";
import { guessIntent } from "./guess_intent.ts";
import { createDialectRules } from "./dialect_rules.ts";
import { createNestedOperations } from "./nested_operations.ts";
import { createNestedConventions } from "./nested_writes.ts";
import { createChanges } from "./value_changes.ts";

/** The rules of the mutations of one handler: those of its dialects, and guesses if one has words. */
export function createWriteRules(orm: Orm): WriteRules {
  const { dialects } = orm.conventions;
  const changes = createChanges(dialects);
  const nested = createNestedConventions(orm, createNestedOperations(dialects), changes);
  const context = { ...orm, nested };
  const ruled = createDialectRules(context, changes);
  const names = createMutationNames(orm.models.models, createMutationWords(dialects));
  const isGuessing = dialects.some(({ words }) => words !== undefined);
  return {
    nested,
    names,
    interpret(subject, typed) {
      const intent = ruled(subject);
      if (intent !== undefined && !isRefusal(intent)) return intent;
      if (isGuessing) return guessIntent(context, changes, subject, typed);
      return isRefusal(typed) ? intent ?? typed : typed;
    },
  };
}
