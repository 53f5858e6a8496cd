/** A relation of a model before it is registered, or one that the host's model has. */
export interface RelationDraft {
  /** Dasherized name of the model that has it. */
  readonly owner: string;
  /** Name of the GraphQL type that has it. */
  readonly ownerType: string;
  /** Name of the field and of the association. */
  readonly name: string;
  /** Whether it leads to many records. */
  readonly isList: boolean;
  /** Whether its records may be of several models. */
  readonly isPolymorphic: boolean;
  /** Dasherized names of the models it leads to; a single one unless polymorphic. */
  readonly targets: readonly string[];
  /** Whether the host's model has it; it is left as it is. */
  readonly isHosts: boolean;
  /** What is said of the other side: its name, `null` for none, `undefined` for nothing. */
  readonly saidInverse: string | null | undefined;
}

/** The relation as the GraphQL schema writes it, such as `Post.author`. */
export function labelOf(relation: RelationDraft): string {
  return `${relation.ownerType}.${relation.name}`;
}
