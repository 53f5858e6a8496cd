import { strictEqual } from "node:assert/strict";
import type { Draw } from "./draw.ts";
import { drawRecord } from "./draw_world.ts";
import type { SeededServer } from "./seeded_server.ts";
import type { PlainRecord, World } from "./world.ts";

/**
 * Makes the same write to the world and to the server: nothing, or one record, with or without
 * GraphQL. `step` counts the writes of one world.
 */
export async function drawWrite(
  draw: Draw,
  world: World,
  server: SeededServer,
  step: number,
): Promise<void> {
  const kind = draw.pick(["none", "update", "create", "delete"] as const);
  if (kind === "none" || world.records.length === 0) return;
  const record = draw.pick(world.records);
  // Mirage never gives the id of a deleted record to another one
  const id = `new ${draw.int(0, 9_999)} of ${step}`;
  const fresh = drawRecord(draw, world.spec, { typeName: record.typeName, id });
  const writer = draw.chance(1, 2) ? server : mutationsOf(server);
  if (kind === "create") {
    world.records = [...world.records, fresh];
    await writer.create(fresh);
  } else if (kind === "update") {
    Object.assign(record.attributes, fresh.attributes);
    await writer.update(record);
  } else {
    world.records = world.records.filter((one) => one !== record);
    await writer.destroy(record);
  }
}

/** Writes with the mutations that every type has. */
function mutationsOf(server: SeededServer) {
  const run = async (source: string, variables: Record<string, unknown>) => {
    const { errors } = await server.answer({ source, variables });
    strictEqual(errors, undefined, `${source}: ${errors?.join()}`);
  };
  return {
    create: ({ typeName, id, attributes }: PlainRecord) =>
      run(
        `mutation ($input: ${typeName}Input!) { create_${typeName}(input: $input) { id } }`,
        { input: { id, ...attributes } },
      ),
    update: ({ typeName, id, attributes }: PlainRecord) =>
      run(
        `mutation ($id: ID!, $input: ${typeName}Input!) {
          update_${typeName}(key: $id, changes: $input) { id }
        }`,
        { id, input: attributes },
      ),
    destroy: ({ typeName, id }: PlainRecord) =>
      run(`mutation ($id: ID!) { delete_${typeName}(id: $id) { id } }`, { id }),
  };
}
