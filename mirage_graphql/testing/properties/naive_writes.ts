/** Operations on the posts of a user, or on the tags of a post, by id. */
export interface ListOperations {
  readonly set?: readonly Id[];
  readonly disconnect?: readonly Id[];
  readonly delete?: readonly Id[];
  readonly update?: readonly { readonly where: Id; readonly data: { readonly name: string } }[];
  readonly updateMany?: { readonly where: Like; readonly data: { readonly name: string } };
  readonly deleteMany?: { readonly where: Like };
  readonly connect?: readonly Id[];
  readonly create?: readonly Named[];
  readonly connectOrCreate?: readonly { readonly where: Id; readonly create: Named }[];
}

/** The id of a record. */
export interface Id {
  readonly id: string;
}

/** A record to create. */
export interface Named extends Id {
  readonly name: string;
}

/** A filter by a part of the name. */
export interface Like {
  readonly name: { readonly contains: string };
}

/** Why a write is rejected; its whole request is undone. */
export class Refused extends Error {}

/** The relations of the records, in the plainest form: pairs of ids, and names. */
export class NaiveWorld {
  readonly users = new Map<string, string>();
  readonly posts = new Map<string, string>();
  readonly tags = new Map<string, string>();
  /** The author of each post that has one. */
  readonly authors = new Map<string, string>();
  /** `post tag` for each tag of a post. */
  readonly tagged = new Set<string>();
  /** Tables and ids of deleted records, which can't be used again. */
  readonly #deleted = new Map<Map<string, string>, Set<string>>();

  /** The whole state as text, to compare and to restore. */
  dump(): string {
    const sorted = (entries: Iterable<unknown>) => [...entries].map(String).sort();
    return JSON.stringify({
      users: sorted(this.users),
      posts: sorted(this.posts),
      tags: sorted(this.tags),
      authors: sorted(this.authors),
      tagged: sorted(this.tagged),
    });
  }

  /** Performs all steps, or none if one is rejected; returns whether it did. */
  attempt(steps: () => void): boolean {
    const maps = [this.users, this.posts, this.tags, this.authors] as const;
    const before = maps.map((map) => [...map]);
    const tagged = [...this.tagged];
    const deleted = [...this.#deleted].map(([table, ids]) => [table, new Set(ids)] as const);
    try {
      steps();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const [index, map] of maps.entries()) {
        map.clear();
        for (const [key, value] of before[index]!) map.set(key, value);
      }
      this.#deleted.clear();
      for (const [table, ids] of deleted) this.#deleted.set(table, ids);
      this.tagged.clear();
      for (const pair of tagged) this.tagged.add(pair);
      return false;
    }
  }

  /** Creates a record with an unused id. */
  create(table: Map<string, string>, { id, name }: Named): void {
    if (table.has(id) || this.#deleted.get(table)?.has(id)) throw new Refused(id);
    table.set(id, name);
  }

  #delete(table: Map<string, string>, id: string): void {
    if (!table.delete(id)) throw new Refused(id);
    this.#deleted.set(table, (this.#deleted.get(table) ?? new Set()).add(id));
  }

  /** Makes a user the author of a post, instead of any other. */
  setAuthor(post: string, user: string | undefined): void {
    if (user === undefined) return void this.authors.delete(post);
    if (!this.users.has(user)) throw new Refused(user);
    this.authors.set(post, user);
  }

  /** Deletes a post with its relations. */
  deletePost(post: string): void {
    this.#delete(this.posts, post);
    this.authors.delete(post);
    for (const pair of this.tagged) if (pair.startsWith(`${post} `)) this.tagged.delete(pair);
  }

  /** Deletes a user; the posts stay. */
  deleteUser(user: string): void {
    this.#delete(this.users, user);
    for (const [post, author] of this.authors) if (author === user) this.authors.delete(post);
  }

  /** Deletes a tag of all posts. */
  deleteTag(tag: string): void {
    this.#delete(this.tags, tag);
    for (const pair of this.tagged) if (pair.endsWith(` ${tag}`)) this.tagged.delete(pair);
  }

  /** The operations on the posts of a user. */
  writePosts(user: string, operations: ListOperations): void {
    this.#writeList(operations, {
      table: this.posts,
      held: () => [...this.authors].filter(([, author]) => author === user).map(([post]) => post),
      add: (post) => this.setAuthor(post, user),
      leave: (post) => this.setAuthor(post, undefined),
      remove: (post) => this.deletePost(post),
    });
  }

  /** The operations on the tags of a post. */
  writeTags(post: string, operations: ListOperations): void {
    const pairs = () => [...this.tagged].map((pair) => pair.split(" "));
    this.#writeList(operations, {
      table: this.tags,
      held: () => pairs().filter(([one]) => one === post).map(([, tag = ""]) => tag),
      add: (tag) => void this.tagged.add(`${post} ${tag}`),
      leave: (tag) => void this.tagged.delete(`${post} ${tag}`),
      remove: (tag) => this.deleteTag(tag),
    });
  }

  #writeList(operations: ListOperations, list: NaiveList): void {
    const { table, held, add, leave, remove } = list;
    const known = ({ id }: Id) => {
      if (!table.has(id)) throw new Refused(id);
      return id;
    };
    const own = ({ id }: Id) => {
      if (!held().includes(id)) throw new Refused(id);
      return id;
    };
    const like = ({ name: { contains } }: Like) =>
      held().filter((id) => table.get(id)?.includes(contains));
    const gone = operations.disconnect?.map(known) ?? [];
    if (operations.set) {
      const wanted = operations.set.map(known);
      held().forEach(leave);
      wanted.filter((id) => !gone.includes(id)).forEach(add);
    }
    gone.filter((id) => held().includes(id)).forEach(leave);
    const removed = new Set<string>();
    for (const id of operations.delete ?? []) removed.add(own(id));
    [...removed].forEach(leave);
    if (operations.deleteMany) like(operations.deleteMany.where).forEach((id) => removed.add(id));
    [...removed].forEach(leave);
    // a filter is about the names before the call
    const many = operations.updateMany && like(operations.updateMany.where);
    for (const { where, data } of operations.update ?? []) table.set(own(where), data.name);
    many?.forEach((id) => table.set(id, operations.updateMany!.data.name));
    const added = operations.connect?.map(known) ?? [];
    const created = [...operations.create ?? []];
    for (const { where, create } of operations.connectOrCreate ?? []) {
      if (table.has(where.id)) added.push(where.id);
      else created.push(create);
    }
    for (const one of created) this.create(table, one);
    if (added.some((id) => removed.has(id))) throw new Refused("both");
    [...added, ...created.map(({ id }) => id)].forEach(add);
    [...removed].forEach(remove);
  }
}

/** One relation to many, as its operations see it. */
interface NaiveList {
  readonly table: Map<string, string>;
  readonly held: () => readonly string[];
  readonly add: (id: string) => void;
  readonly leave: (id: string) => void;
  readonly remove: (id: string) => void;
}
