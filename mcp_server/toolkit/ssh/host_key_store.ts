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
import { SshError } from "./ssh2.ts";
import type { SshFileFault, SshFiles } from "./ssh_files.ts";

/** What the operator sets about host keys. */
export interface HostKeyStoreOptions {
  /** The folder that contains `.ssh`. */
  readonly home: string;
  /** Adds the keys of unknown hosts to known_hosts. */
  readonly acceptNew: boolean;
}

/** Where the keys of one host are looked up, and how to treat unknown ones. */
interface HostKeySources {
  readonly files: SshFiles;
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

/** A key that a host has shown and that was accepted. */
export interface ShownKey {
  readonly key: Uint8Array;
  /** The files by which it was accepted; see {@linkcode HostKeyCheck}. */
  stamp: string;
}

/** What is known about a host. */
interface HostKeys {
  readonly sources: HostKeySources;
  /** A text that changes with the files. */
  readonly stamp: string;
  /** The lines of known_hosts that are about it, by the names under which it is looked up. */
  readonly known: readonly (readonly KnownHost[])[];
  /** The keys of the file of revoked ones. */
  readonly revoked: readonly Uint8Array[];
}

/** What known_hosts says about one host, for one connection. */
export interface HostKeyCheck {
  /** The algorithms to offer, those of known keys first. */
  readonly algorithms: string[];
  /** A text that changes with the files that were read. */
  readonly stamp: string;
  /** Checks whether a key is the host's; returns the error, or `undefined` if it is. */
  verify(key: Uint8Array): SshError | undefined;
  /** Adds the key if it was unknown and accepted. */
  keep(): Promise<void>;
}

/** About 100,000 keys; they are read into memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Files up to this size together are read at once, by however many logins. */
const SMALL_BYTES = 256 * 1024;

const SYSTEM_KNOWN_HOSTS = "/etc/ssh/ssh_known_hosts";

/** Reads known_hosts for every connection and use of one, so that a change takes effect at once. */
export class HostKeyStore {
  readonly #options: HostKeyStoreOptions;

  constructor(options: HostKeyStoreOptions) {
    this.#options = options;
  }

  /**
   * Reads what is known about a host. Rejects with an `SshError` of phase `host-key` if a file can't
   * be read, or not in time.
   */
  async check(hop: Hop, files: SshFiles): Promise<HostKeyCheck> {
    const sources = this.#toSources(hop, files);
    const keys = await find(sources);
    const types = keys.known.flatMap(knownTypes);
    let added: Uint8Array | undefined;
    return {
      algorithms: hostKeyAlgorithms(types, hop.settings.algorithms?.serverHostKey),
      stamp: keys.stamp,
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
        if (added !== undefined) await add(sources, added);
      },
    };
  }

  /**
   * Whether the key that a host showed when it was connected to is still accepted; its files are read
   * only if they have changed since. Rejects as {@linkcode check} does.
   */
  async recheck(hop: Hop, shown: ShownKey, files: SshFiles): Promise<boolean> {
    const { stamp } = await look(this.#toSources(hop, files));
    if (stamp === shown.stamp) return true;
    const check = await this.check(hop, files);
    if (check.verify(shown.key) !== undefined) return false;
    shown.stamp = check.stamp;
    return true;
  }

  #toSources({ hostKeyNames: names, settings }: Hop, files: SshFiles): HostKeySources {
    const { userKnownHosts, globalKnownHosts = [SYSTEM_KNOWN_HOSTS], strictHostKeys } = settings;
    const [file = "/dev/null", ...more] = userKnownHosts ??
      [`${this.#options.home}/.ssh/known_hosts`];
    return {
      files,
      names,
      file,
      others: [...more, ...globalKnownHosts],
      revoked: settings.revokedHostKeys,
      acceptNew: this.#options.acceptNew && strictHostKeys !== true,
    };
  }
}

/** How large the files of a host are together, and a text that changes with them. */
async function look(sources: HostKeySources): Promise<{ size: number; stamp: string }> {
  const { files, file, others, revoked = "/dev/null" } = sources;
  const states = await Promise.all([file, ...others, revoked].map(async (path) => {
    const { size = 0, stamp = "", fault } = await files.stat(path);
    if (fault !== undefined) throw unreadable(sources, path, fault);
    return { size, stamp };
  }));
  return {
    size: states.reduce((sum, { size }) => sum + size, 0),
    stamp: states.map(({ stamp }) => stamp).join(),
  };
}

/** Looks up hosts with large files one after the other, so that one of those is in memory at a time. */
async function find(sources: HostKeySources): Promise<HostKeys> {
  const { size, stamp } = await look(sources);
  const readAll = () => read(sources, stamp);
  return await (size <= SMALL_BYTES ? readAll() : inTurn(sources, "known_hosts", readAll));
}

async function read(sources: HostKeySources, stamp: string): Promise<HostKeys> {
  const { names, file, others } = sources;
  const texts = await Promise.all([file, ...others].map((path) => readText(sources, path)));
  const text = texts.join("\n");
  const known = await Promise.all(names.map((name) => findKnownHosts(text, name)));
  return { sources, stamp, known, revoked: await readRevoked(sources) };
}

/** One addition after the other, each only if no earlier one has added the key. */
async function add(sources: HostKeySources, key: Uint8Array): Promise<void> {
  await inTurn(sources, "new known_hosts", async () => {
    const fault = faultOf(await find(sources), key);
    if (fault instanceof SshError) throw fault;
    if (fault === "unknown") await append(sources, key);
  });
}

async function inTurn<T extends object | void>(
  sources: HostKeySources,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const found = await sources.files.inTurn(key, work);
  if (isFault(found)) throw unreadable(sources, sources.file, found.fault);
  return found;
}

function isFault(found: unknown): found is SshFileFault {
  return typeof found === "object" && found !== null && "fault" in found;
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
async function readRevoked(sources: HostKeySources): Promise<Uint8Array[]> {
  const { files, names: [name], revoked: path } = sources;
  if (path === undefined) return [];
  const { text, fault = "it does not exist" } = await files.read(path, MOST_BYTES);
  if (text === undefined) throw unreadable(sources, path, fault);
  if (text.startsWith("SSHKRL")) {
    throw refuse(name, `"${path}" is a key revocation list; use a file of public keys`);
  }
  const keys = parseKeyList(text);
  if (keys === undefined) throw refuse(name, `"${path}" has a line that is not a public key`);
  return keys;
}

async function readText(sources: HostKeySources, path: string): Promise<string> {
  const { text = "", fault } = await sources.files.read(path, MOST_BYTES);
  if (fault !== undefined) throw unreadable(sources, path, fault);
  return text;
}

async function append(sources: HostKeySources, key: Uint8Array): Promise<void> {
  const { files, file, names: [name] } = sources;
  const before = await readText(sources, file);
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const line = `${gap}${name} ${keyTypeOf(key)} ${key.toBase64()}\n`;
  const { fault } = await files.append(file, line);
  if (fault !== undefined) throw refuse(name, `its new key can't be added to "${file}": ${fault}`);
}

function unreadable({ names }: HostKeySources, path: string, fault: string): SshError {
  return refuse(names[0], `"${path}" can't be read: ${fault}`);
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
