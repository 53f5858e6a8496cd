import { messageOf } from "../../shared/error.ts";
import type { Log } from "../../shared/log.ts";
import type { LateTool, ToolRegistry } from "../registry.ts";
import type { LoadReport, ReloadReport } from "../service.ts";
import type { RegisteredTool } from "../tool.ts";
import {
  findToolFiles,
  type LoadedModule,
  loadTool,
  type ModuleContext,
  ModuleVersions,
  problemOf,
  readModule,
  type ShutdownHook,
  type ToolFile,
} from "./load_tool.ts";

/** Where tools are registered, and what their modules receive. */
interface ToolFoldersOptions extends ModuleContext {
  readonly registry: ToolRegistry;
  readonly log: Log;
  /** Whether to find out at once which files a tool consists of, for a watch. @default {false} */
  readonly isWatched?: boolean;
  /** Whether those that come with the server are loaded with the others. @default {when asked for} */
  readonly loadsAll?: boolean;
  /** Called after a reload that changed the definition of a tool. */
  readonly onChange?: () => void;
  /** Called after each reload. */
  readonly onReloaded?: (reports: readonly ReloadReport[]) => void;
}

/** A file and the tool that is loaded from it. */
interface LoadedFile extends ToolFile {
  /** Whether it comes with the server, so that it is loaded only once. */
  readonly isFixed: boolean;
  readonly life?: ModuleLife;
  /** The tool of a file that is loaded when somebody asks for the tool. */
  readonly late?: LateTool;
  /** Why the file, or its present content, is not used. */
  readonly problem?: string;
  /** The content that was tried last; absent until the first reload. */
  readonly digest?: string;
  /** The files that it consists of, as far as they are known. */
  readonly files: readonly string[];
}

/**
 * The tools that come with the server, which stay, and those of some folders, which can be loaded
 * again while they are called.
 */
export class ToolFolders {
  readonly #fixed: readonly ToolFile[];
  readonly #folders: readonly string[];
  readonly #options: ToolFoldersOptions;
  readonly #versions = new ModuleVersions();
  #loaded: readonly LoadedFile[] = [];
  /** What has been loaded and not ended. */
  readonly #lives = new Set<ModuleLife>();
  /** What is being loaded because somebody asked for it. */
  readonly #loading = new Set<Promise<unknown>>();
  #reloading: Promise<readonly ReloadReport[]> | undefined;
  #next: Promise<readonly ReloadReport[]> | undefined;

  constructor(
    { fixed, folders }: { fixed: readonly ToolFile[]; folders: readonly string[] },
    options: ToolFoldersOptions,
  ) {
    this.#fixed = fixed;
    this.#folders = folders;
    this.#options = options;
  }

  /**
   * Loads every tool file of the folders, in their order and then that of the names; each that comes
   * with the server, which is before them, once it is asked for. A file that can't be used is skipped
   * with one line in the log, and the others are loaded. Rejects if a folder can't be read, because
   * the operator named it.
   */
  async load(): Promise<LoadReport[]> {
    const files = await findAll(this.#folders);
    const { loadsAll = false } = this.#options;
    const late = loadsAll ? [] : this.#fixed.map((file) => this.#loadLater(file));
    const eager = loadsAll ? [...this.#fixed, ...files] : files;
    this.#loaded = this.#register([...late, ...await this.#loadAll(eager)]);
    for (const { toolName, file, problem } of this.#loaded) {
      if (problem !== undefined) {
        this.#options.log.warn("tool skipped", { toolName, file, problem });
      }
    }
    return this.#loaded.map(toReport);
  }

  /**
   * Loads what has changed, and swaps all of it at once: a module whose file or whose relative
   * import differs, and files that are new or gone. Running calls keep the tool that they began
   * with, and a module that can't be used leaves the old one in place. Reloads run one at a time, and
   * requests that arrive meanwhile share the next one. Rejects if a folder can't be read; then
   * nothing changes.
   */
  reload(): Promise<readonly ReloadReport[]> {
    if (this.#reloading === undefined) return this.#startReload();
    return this.#next ??= this.#reloading.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#startReload();
    });
  }

  /** The files whose change is a change of a tool. */
  get files(): ReadonlySet<string> {
    return new Set(this.#loaded.flatMap(({ isFixed, files }) => isFixed ? [] : files));
  }

  /** Runs the shutdown hooks of all tools. */
  async close(): Promise<void> {
    await this.#reloading?.catch(() => {});
    await Promise.all(this.#loading);
    await Promise.all([...this.#lives].map((life) => life.end()));
    await this.#versions.close();
  }

  #startReload(): Promise<readonly ReloadReport[]> {
    const reloading = this.#reload().finally(() => this.#reloading = undefined);
    return this.#reloading = reloading;
  }

  async #reload(): Promise<readonly ReloadReport[]> {
    const { onChange, onReloaded } = this.#options;
    const before = this.#loaded;
    const known = new Map(before.map((file) => [file.file, file]));
    const files = await findAll(this.#folders);
    let version: Promise<string> | undefined;
    const createVersion = () => version ??= this.#versions.create();
    const changing = files.map((file) => this.#renew(file, known.get(file.file), createVersion));
    const fixed = before.filter(({ isFixed }) => isFixed);
    const described = describe(before);
    this.#loaded = this.#register([...fixed, ...await Promise.all(changing)]);
    const used = new Set(this.#loaded.map(({ life }) => life));
    for (const life of this.#lives) if (!life.stays && !used.has(life)) life.retire();
    const reports = this.#report(before);
    onReloaded?.(reports);
    if (describe(this.#loaded) !== described) onChange?.();
    return reports;
  }

  /**
   * Loads files side by side, after the first one that comes with the server: concurrent imports each
   * read again what they share, unless it is loaded.
   */
  async #loadAll(files: readonly ToolFile[]): Promise<LoadedFile[]> {
    const fixed = new Set(this.#fixed);
    const load = async (file: ToolFile): Promise<LoadedFile> => {
      const isFixed = fixed.has(file);
      const isRead = this.#options.isWatched === true && !isFixed;
      const content = isRead ? await readModule(file.file) : { files: [file.file] };
      return {
        ...file,
        ...content,
        ...await this.#load(file, { path: file.file, isKnown: isFixed }),
        isFixed,
      };
    };
    const alone = files[0] !== undefined && fixed.has(files[0]) ? 1 : 0;
    const first = await Promise.all(files.slice(0, alone).map(load));
    return [...first, ...await Promise.all(files.slice(alone).map(load))];
  }

  /** A file whose module is loaded once; why it can't be used is said when that is known. */
  #loadLater(file: ToolFile): LoadedFile {
    const { toolName: name, file: path } = file;
    let loading: Promise<RegisteredTool | undefined> | undefined;
    const load = async () => {
      const { life, problem } = await this.#load(file, { path, isKnown: true });
      if (problem !== undefined) this.#options.log.warn("tool skipped", { ...file, problem });
      return life?.tool;
    };
    const begin = () => {
      const begun = load().finally(() => this.#loading.delete(begun));
      this.#loading.add(begun);
      return begun;
    };
    const late = { name, load: () => loading ??= begin() };
    return { ...file, files: [path], isFixed: true, late };
  }

  async #load(
    file: ToolFile,
    how: { readonly path: string; readonly isKnown?: boolean },
  ): Promise<Pick<LoadedFile, "life" | "problem">> {
    try {
      const module = await loadTool(file, { ...this.#options, ...how });
      const life = new ModuleLife(module, {
        stays: how.isKnown === true,
        log: this.#options.log,
        onEnded: () => this.#lives.delete(life),
      });
      this.#lives.add(life);
      return { life };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  async #renew(
    file: ToolFile,
    old: LoadedFile | undefined,
    createVersion: () => Promise<string>,
  ): Promise<LoadedFile> {
    const content = await readModule(file.file);
    if (old?.digest === content.digest && old.problem === undefined) return old;
    const fresh = await this.#load(file, { path: `${await createVersion()}${file.file}` });
    return { ...file, ...content, ...fresh, life: fresh.life ?? old?.life, isFixed: false };
  }

  /** Registers the tools of all files at once; of two with one name the first is used. */
  #register(loaded: readonly LoadedFile[]): readonly LoadedFile[] {
    const names = new Set<string>();
    const files = loaded.map((file): LoadedFile => {
      const isUsable = file.life !== undefined || file.late !== undefined;
      if (!isUsable || !names.has(file.toolName)) {
        if (isUsable) names.add(file.toolName);
        return file;
      }
      const { life: _unused, ...skipped } = file;
      return {
        ...skipped,
        problem:
          `Cannot register the tool "${file.toolName}": an earlier folder has a tool of this name; ` +
          "rename the file",
      };
    });
    this.#options.registry.replace(files.flatMap(({ life, late }) => late ?? life?.tool ?? []));
    return files;
  }

  #report(before: readonly LoadedFile[]): readonly ReloadReport[] {
    const { log } = this.#options;
    const lives = new Map(before.map((file) => [file.file, file.life]));
    const present = new Set(this.#loaded.map(({ file }) => file));
    const reports: readonly ReloadReport[] = [
      ...this.#loaded.filter(({ isFixed }) => !isFixed).map((file): ReloadReport => ({
        ...toReport(file),
        state: stateOf(file, lives.get(file.file)),
      })),
      ...before.filter(({ file }) => !present.has(file)).map((
        { toolName, file },
      ): ReloadReport => ({
        toolName,
        file,
        state: "removed",
      })),
    ];
    for (const report of reports) {
      if (report.problem !== undefined) log.warn("tool not reloaded", { ...report });
      else if (report.state !== "unchanged") log.info("tool reloaded", { ...report });
    }
    return reports;
  }
}

/** The definitions of the tools that can change, as text. */
function describe(files: readonly LoadedFile[]): string {
  return JSON.stringify(
    files.flatMap(({ isFixed, life }) => isFixed ? [] : life?.tool.definition ?? []),
  );
}

function stateOf(
  { life, problem }: LoadedFile,
  old: ModuleLife | undefined,
): ReloadReport["state"] {
  if (problem !== undefined) return life === undefined ? "skipped" : "kept";
  return life === old ? "unchanged" : "loaded";
}

function toReport({ toolName, file, problem }: LoadedFile): LoadReport {
  return { toolName, file, ...(problem === undefined ? {} : { problem }) };
}

async function findAll(folders: readonly string[]): Promise<ToolFile[]> {
  return (await Promise.all(folders.map(findToolFiles))).flat();
}

/**
 * A loaded tool and what its module has opened. Once the tool is replaced, its shutdown hooks run
 * when no call holds it any more.
 */
class ModuleLife {
  readonly tool: RegisteredTool;
  /** Whether it comes with the server, so that no reload ends it. */
  readonly stays: boolean;
  readonly #hooks: readonly ShutdownHook[];
  readonly #options: { readonly log: Log; readonly onEnded: () => void };
  #holders = 0;
  #isRetired = false;
  #ending: Promise<void> | undefined;

  constructor(
    { tool, hooks }: LoadedModule,
    options: { readonly stays: boolean; readonly log: Log; readonly onEnded: () => void },
  ) {
    this.stays = options.stays;
    this.#hooks = hooks;
    this.#options = options;
    this.tool = hooks.length === 0 ? tool : { ...tool, hold: () => this.#hold() };
  }

  /** The tool accepts no more calls; the hooks run when the last one has ended. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfUnused();
  }

  /** Runs the hooks, unless they have run. */
  end(): Promise<void> {
    return this.#ending ??= this.#runHooks();
  }

  #hold(): Disposable {
    let isHeld = true;
    this.#holders++;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#holders--;
        this.#endIfUnused();
      },
    };
  }

  #endIfUnused(): void {
    if (this.#isRetired && this.#holders === 0) void this.end();
  }

  async #runHooks(): Promise<void> {
    const ends = await Promise.allSettled(this.#hooks.map(async (hook) => await hook()));
    for (const end of ends) {
      if (end.status === "fulfilled") continue;
      this.#options.log.warn("a shutdown hook failed", { problem: messageOf(end.reason) });
    }
    this.#options.onEnded();
  }
}
