/**
 * Modules whose responses are checked by a schema of zod, valibot, ArkType, or any other library
 * that follows [Standard Schema](https://standardschema.dev); without Vue.
 *
 * @module
 */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { AxiosRequestConfig, AxiosResponse } from "axios";
import { type Api, api as createApi, type ApiInstance, type ApiPath } from "./api.ts";

export type { StandardSchemaV1 } from "@standard-schema/spec";

/** The config of a request whose response is checked. */
export interface SchemaConfig<Schema extends StandardSchemaV1> extends AxiosRequestConfig {
  /** What `data` of the response must be; it becomes the schema's output. */
  readonly schema: Schema;
}

/** The response to a request with a schema. */
export type SchemaResponse<Schema extends StandardSchemaV1> = AxiosResponse<
  StandardSchemaV1.InferOutput<Schema>
>;

/** A method as `get()` and `delete()`, whose config has a schema. */
export type ReadMethod<Path> = <Schema extends StandardSchemaV1>(
  url: Path,
  config: SchemaConfig<Schema>,
) => Promise<SchemaResponse<Schema>>;

/** A method as `put()` and `patch()`, whose config has a schema. */
export type ChangeMethod = <Schema extends StandardSchemaV1>(
  url: ApiPath | undefined,
  data: unknown,
  config: SchemaConfig<Schema>,
) => Promise<SchemaResponse<Schema>>;

/**
 * The requests of one module, each with a schema or without. With one, the promise resolves with a
 * response whose `data` is the schema's output, and rejects with a `SchemaError` if the schema
 * refuses what the server has sent.
 */
export interface SchemaApi extends Api {
  /** As `get()` of `Api`; with `config.schema` it checks the response. */
  readonly get: ReadMethod<ApiPath | undefined> & Api["get"];
  /** As `post()` of `Api`; with `config.schema` it checks the response. */
  readonly post:
    & (<Schema extends StandardSchemaV1>(
      data: unknown,
      config: SchemaConfig<Schema>,
    ) => Promise<SchemaResponse<Schema>>)
    & Api["post"];
  /** As `put()` of `Api`; with `config.schema` it checks the response. */
  readonly put: ChangeMethod & Api["put"];
  /** As `patch()` of `Api`; with `config.schema` it checks the response. */
  readonly patch: ChangeMethod & Api["patch"];
  /** As `delete()` of `Api`; with `config.schema` it checks the response. */
  readonly delete: ReadMethod<ApiPath> & Api["delete"];
}

/** A response that its schema refuses. */
export class SchemaError extends Error {
  /** Always `"SchemaError"`. */
  override readonly name = "SchemaError";
  /** What the schema found, as it said it. */
  readonly issues: readonly StandardSchemaV1.Issue[];
  /** The response as the server sent it. */
  readonly response: AxiosResponse<unknown>;

  /** Creates the error of a request, such as `get "/posts/7"`; its message has the first issue. */
  constructor(
    request: string,
    issues: readonly StandardSchemaV1.Issue[],
    response: AxiosResponse<unknown>,
  ) {
    const [first] = issues;
    const path = first?.path?.map((part) => String(typeof part === "object" ? part.key : part));
    const what = [...path?.length ? [path.join(".")] : [], first?.message ?? "refused"].join(": ");
    const more = issues.length > 1 ? `, and ${issues.length - 1} more` : "";
    super(`Cannot use the response of ${request}: ${what}${more}`);
    this.issues = issues;
    this.response = response;
  }
}

/**
 * Creates a module as `api()` of the main entry, whose methods also take `{ schema }`. The schema
 * checks `data` once the client's interceptors have run, synchronously or not; the client's response
 * itself stays as it is.
 *
 * @example
 * ```ts
 * import { api } from "@trestle/api-wrapper/schema";
 * import axios from "axios";
 * import { z } from "zod";
 *
 * const Post = z.object({ id: z.number(), createdAt: z.coerce.date() });
 * const posts = api("/posts", axios.create({ baseURL: "https://example.org/api" }));
 * const year = async (id: number) => {
 *   return (await posts.get(id, { schema: Post })).data.createdAt.getFullYear();
 * };
 * ```
 */
export function api(url: string, instance: ApiInstance): SchemaApi {
  // Each method hands its config, and with it the schema, to the client; only the types of `Api`
  // don't say that.
  return createApi(url, {
    get defaults() {
      return instance.defaults ?? {};
    },
    async request({ schema, ...config }: Parameters<ApiInstance["request"]>[0] & Checked) {
      const response = await instance.request(config);
      if (schema === undefined) return response;
      const received = response as AxiosResponse<unknown>;
      const result = await schema["~standard"].validate(received.data);
      if (!result.issues) return { ...received, data: result.value };
      throw new SchemaError(`${config.method} "${config.url}"`, result.issues, received);
    },
  }) as SchemaApi;
}

interface Checked {
  readonly schema?: StandardSchemaV1;
}
