/** A random schema, before it is written in the schema definition language. */
export interface SchemaSpec {
  readonly objects: readonly ObjectSpec[];
  readonly abstracts: readonly AbstractSpec[];
  readonly relations: readonly RelationSpec[];
  readonly roots: readonly RootSpec[];
}

/** An object type whose records are in a model. */
export interface ObjectSpec {
  readonly name: string;
  /** The name by which Mirage creates its records. */
  readonly modelName: string;
  readonly attributes: readonly AttributeSpec[];
}

/** A field that is not a relation. */
export interface AttributeSpec {
  readonly name: string;
  readonly type: string;
}

/** An interface or a union. */
export interface AbstractSpec {
  readonly name: string;
  readonly members: readonly string[];
  /** The fields of an interface; `undefined` for a union. */
  readonly fields: readonly AttributeSpec[] | undefined;
}

/** What a field leads to. */
export interface TargetSpec {
  readonly name: string;
  /** Name of the object type or abstract type. */
  readonly typeName: string;
  /** Names of the object types that it can lead to. */
  readonly targets: readonly string[];
  readonly kind: "one" | "list" | "connection";
  readonly isNonNull: boolean;
  /** Arguments that filter. */
  readonly args: readonly AttributeSpec[];
}

/** A field of the query type. */
export type RootSpec = TargetSpec;

/** A field that leads from records to records. */
export interface RelationSpec extends TargetSpec {
  readonly owner: string;
  readonly foreignKey: string;
  /** The relation of the targets that is the inverse of this one, and is not seeded itself. */
  readonly inverse?: string;
  /** Whether this side is derived from the other one. */
  readonly isDerived: boolean;
}

/** The relations of a type. */
export function relationsOf({ relations }: SchemaSpec, typeName: string): RelationSpec[] {
  return relations.filter(({ owner }) => owner === typeName);
}
