import { dirname } from "node:path";
import { messageOf } from "../../domain/error.ts";
import {
  checkHostKey,
  findKnownHosts,
  fingerprintOf,
  hostKeyAlgorithms,
  isSameKey,
  keyTypeOf,
  type KnownHost,
  knownTypes,
  parseKeyList,
} from "./known_hosts.ts";
import type { Hop, HostKeyNames } from "./route.ts";
import { SshError } from "./ssh_error.ts";
import { readSshFile } from "./ssh_file.ts";
import type { SshSettings } from "./ssh_settings.ts";

/** What the store needs of the operator's settings. */
export type HostKeyStoreOptions = Pick<SshSettings, "home" | "acceptNew">;

/** Where the keys of one host are looked up, and how to treat unknown ones. */
interface HostKeySources {
  readonly names: HostKeyNames;
  /** The file that is read first, and to which new keys are added. */
  readonly file: string;
  /** Further files that are only read. */
  readonly others: readonly string[];
  /** A file with public keys that are never trusted. */
  readonly revoked?: string | undefined;
  /** Adds the key of an unknown host instead of rejecting it. */
  readonly acceptNew: boolean;
}

/** What is known about a host. */
interface HostKeys {
  readonly sources: HostKeySources;
  /** The lines of known_hosts that are about it, by the names under which it is looked up. */
  readonly known: KnownByName;
  /** The keys of the file of revoked ones. */
  readonly revoked: readonly Uint8Array[];
}

/** What known_hosts says about one host, for one connection. */
export interface HostKeyCheck {
  /** The algorithms to offer, those of known keys first. */
  readonly algorithms: string[];
  /** Checks whether a key is the host's; returns the error, or `undefined` if it is. */
  verify(key: Uint8Array): SshError | undefined;
  /** Adds the key if it was unknown and accepted. */
  keep(): Promise<void>;
}

/** The lines of known_hosts that are about a host, by the names under which it is looked up. */
type KnownByName = readonly (readonly KnownHost[])[];

/** About 100,000 keys; they are read into memory. */
const MOST_BYTES = 16 * 1024 * 1024;

const SYSTEM_KNOWN_HOSTS = "/etc/ssh/ssh_known_hosts";

/** Reads known_hosts for every connection, so that a change takes effect at once. */
export class HostKeyStore {
  readonly #options: HostKeyStoreOptions;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  /** Takes where the files are without a config, and whether unknown keys are added. */
  constructor(options: HostKeyStoreOptions) {
    this.#options = options;
  }

  /** Reads what is known about a host. */
  async check(hop: Hop): Promise<HostKeyCheck> {
    const sources = this.#toSources(hop);
    const keys = await this.#find(sources);
    const types = keys.known.flatMap(knownTypes);
    let added: Uint8Array | undefined;
    return {
      algorithms: hostKeyAlgorithms(types, hop.settings.algorithms?.serverHostKey),
      verify: (key) => {
        const fault = faultOf(keys, key);
        if (fault !== "unknown") return fault;
        if (added !== undefined && !isSameKey(added, key)) {
          return changed(sources.names[0], key, [added]);
        }
        added = new Uint8Array(key);
        return undefined;
      },
      keep: async () => {
        if (added !== undefined) await this.#add(sources, added);
      },
    };
  }

  #toSources({ hostKeyNames: names, settings }: Hop): HostKeySources {
    const { userKnownHosts, globalKnownHosts = [SYSTEM_KNOWN_HOSTS], strictHostKeys } = settings;
    const [file = "/dev/null", ...more] = userKnownHosts ??
      [`${this.#options.home}/.ssh/known_hosts`];
    return {
      names,
      file,
      others: [...more, ...globalKnownHosts],
      revoked: settings.revokedHostKeys,
      acceptNew: this.#options.acceptNew && strictHostKeys !== true,
    };
  }

  /** Looks up hosts one after the other, so that only one large file is in memory at a time. */
  #find(sources: HostKeySources): Promise<HostKeys> {
    const { names, file, others, revoked } = sources;
    const work = this.#reading.then(async () => {
      const texts = await Promise.all([file, ...others].map((path) => readText(path, names[0])));
      const text = texts.join("\n");
      const known = await Promise.all(names.map((name) => findKnownHosts(text, name)));
      return { sources, known, revoked: await readRevoked(revoked, names[0]) };
    });
    this.#reading = work.catch(() => {});
    return work;
  }

  /** One addition after the other, each only if no earlier one has added the key. */
  #add(sources: HostKeySources, key: Uint8Array): Promise<void> {
    const work = this.#writing.then(async () => {
      const fault = faultOf(await this.#find(sources), key);
      if (fault instanceof SshError) throw fault;
      if (fault === "unknown") await append(sources.file, sources.names[0], key);
    });
    this.#writing = work.catch(() => {});
    return work;
  }
}

function faultOf(keys: HostKeys, key: Uint8Array): SshError | "unknown" | undefined {
  const { sources: { names: [name, ...others], acceptNew, revoked }, known } = keys;
  const verdicts = known.map((each) => checkHostKey(each, key));
  const [verdict] = verdicts;
  if (verdicts.some(({ kind }) => kind === "revoked")) {
    return refuse(name, `its key ${fingerprintOf(key)} is revoked in known_hosts`);
  }
  if (keys.revoked.some((each) => isSameKey(each, key))) {
    return refuse(name, `its key ${fingerprintOf(key)} is revoked in "${revoked}"`);
  }
  if (verdict?.kind === "known") return undefined;
  if (verdict?.kind === "changed") return changed(name, key, verdict.known);
  if (others.length > 0 && verdicts.some(({ kind }) => kind === "known")) return undefined;
  if (verdict?.kind === "authority") {
    return refuse(
      name,
      "known_hosts has only a @cert-authority for it, which is not supported; add its own key",
    );
  }
  if (acceptNew) return "unknown";
  const add = "add it to known_hosts, or set MCP_SSH_HOST_KEYS=accept-new";
  return refuse(name, `its ${keyTypeOf(key)} key ${fingerprintOf(key)} is not known; ${add}`);
}

/** Without the file, or with one that can't be understood, no host is trusted, as in OpenSSH. */
async function readRevoked(path: string | undefined, name: string): Promise<Uint8Array[]> {
  if (path === undefined) return [];
  const { text, fault = "it does not exist" } = await readSshFile(path, MOST_BYTES);
  if (text === undefined) throw refuse(name, `"${path}" can't be read: ${fault}`);
  if (text.startsWith("SSHKRL")) {
    throw refuse(name, `"${path}" is a key revocation list; use a file of public keys`);
  }
  const keys = parseKeyList(text);
  if (keys === undefined) throw refuse(name, `"${path}" has a line that is not a public key`);
  return keys;
}

async function readText(path: string, name: string): Promise<string> {
  const { text = "", fault } = await readSshFile(path, MOST_BYTES);
  if (fault !== undefined) throw refuse(name, `"${path}" can't be read: ${fault}`);
  return text;
}

/** Adds a line in one write, so that readers and other writers see it whole. */
async function append(path: string, name: string, key: Uint8Array): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const before = await readText(path, name);
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    const line = `${gap}${name} ${keyTypeOf(key)} ${key.toBase64()}\n`;
    await Deno.writeTextFile(path, line, { append: true, create: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof SshError) throw error;
    throw refuse(name, `its new key can't be added to "${path}": ${messageOf(error)}`);
  }
}

function changed(name: string, key: Uint8Array, known: readonly Uint8Array[]): SshError {
  const expected = known.map((each) => `${keyTypeOf(each)} ${fingerprintOf(each)}`).join(", ");
  const shown = `${keyTypeOf(key)} ${fingerprintOf(key)}`;
  return refuse(
    name,
    `its key has changed: it shows ${shown}, known_hosts has ${expected}; ` +
      "if the operator confirms the new key, remove the old one from known_hosts",
  );
}

function refuse(name: string, state: string): SshError {
  return new SshError(`Cannot trust "${name}": ${state}`, "host-key");
}
