import {
  type AbstractSpec,
  type AttributeSpec,
  type ObjectSpec,
  relationsOf,
  type SchemaSpec,
  type TargetSpec,
} from "./schema_spec.ts";

const COMMON = `
enum Kind { RED GREEN BLUE }
type Spot { x: Int label: String tags: [String] inner: Spot }
input SpotInput { x: Int label: String tags: [String] inner: SpotInput }
type PageInfo {
  hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String
}
`;

/** Writes a schema in the schema definition language. */
export function toSdl(spec: SchemaSpec): string {
  const nodes = [...spec.objects, ...spec.abstracts].map(({ name }) => name);
  return [
    COMMON,
    ...spec.abstracts.map(abstractSdl),
    ...spec.objects.map((object) => objectSdl(spec, object)),
    ...nodes.map(connectionSdl),
    ...spec.objects.map(inputSdl),
    `type Query {\n${spec.roots.map(targetSdl).join("\n")}\n}`,
    `type Mutation {\n${spec.objects.map(mutationsSdl).join("\n")}\n}`,
  ].join("\n");
}

function inputSdl({ name, attributes }: ObjectSpec): string {
  const fields = attributes.map((attribute) => ({
    ...attribute,
    type: attribute.type.replace(/!$/, "").replace("Spot", "SpotInput"),
  }));
  return `input ${name}Input { id: ID ${fields.map(attributeSdl).join(" ")} }`;
}

function mutationsSdl({ name }: ObjectSpec): string {
  return `create_${name}(input: ${name}Input!): ${name}
update_${name}(key: ID!, changes: ${name}Input!): ${name}!
delete_${name}(id: ID!): ${name}`;
}

function abstractSdl({ name, members, fields }: AbstractSpec): string {
  if (fields === undefined) return `union ${name} = ${members.join(" | ")}`;
  return `interface ${name} { id: ID! ${fields.map(attributeSdl).join(" ")} }`;
}

function objectSdl(spec: SchemaSpec, { name, attributes }: ObjectSpec): string {
  const interfaces = spec.abstracts
    .filter(({ members, fields }) => fields !== undefined && members.includes(name));
  const head = interfaces.length === 0
    ? name
    : `${name} implements ${interfaces.map((one) => one.name).join(" & ")}`;
  const fields = [
    "id: ID!",
    ...attributes.map(attributeSdl),
    ...relationsOf(spec, name).map(targetSdl),
  ];
  return `type ${head} {\n${fields.join("\n")}\n}`;
}

function connectionSdl(name: string): string {
  return `type ${name}Edge { node: ${name} cursor: String! }
type ${name}Connection {
  edges: [${name}Edge!]! nodes: [${name}!]! pageInfo: PageInfo! totalCount: Int!
}`;
}

function targetSdl({ name, typeName, kind, isNonNull, args }: TargetSpec): string {
  const types = { one: typeName, list: `[${typeName}]`, connection: `${typeName}Connection` };
  const paging = kind === "connection"
    ? ["first: Int", "after: String", "last: Int", "before: String"]
    : [];
  const list = [...args.map(attributeSdl), ...paging].join(" ");
  return `${name}${list && `(${list})`}: ${types[kind]}${isNonNull ? "!" : ""}`;
}

function attributeSdl({ name, type }: AttributeSpec): string {
  return `${name}: ${type}`;
}
