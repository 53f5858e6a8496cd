import { sharedFolder } from "../../../test_support/shared_folder.ts";
import { builtPackage } from "./built_package.ts";
import { type Consumer, createProjectBelow, installPackages } from "./consumer.ts";

/** The versions of Vite that the plugin supports, each as a package of the project. */
export const VITES = ["vite-6", "vite-7", "vite-8"] as const;

/** A project that mocks, below packages that several tests have. */
export interface MockProject extends Consumer {
  /** Path of the folder with the packages, ours as it is published. */
  readonly packages: string;
}

/** Everything that the projects of these tests import, so that it is installed once a run. */
const PACKAGES = [
  ...["graphql", "miragejs", "graphql-ws", "@graphql-yoga/render-graphiql"],
  ...["vue@3", "react@19", "react-dom@19", "@types/node@24"],
  ...VITES.map((name) => `${name}@npm:vite@${name.slice("vite-".length)}`),
];

/** Creates the project, empty, with the package as it is published. */
export async function createMockProject(): Promise<MockProject> {
  await using stack = new AsyncDisposableStack();
  const { tarball } = stack.use(await builtPackage("mirage_graphql"));
  const shared = stack.use(
    await sharedFolder("mock_packages", (path) => installPackages(path, [tarball, ...PACKAGES])),
  );
  const project = stack.use(await createProjectBelow(shared.path));
  const owned = stack.move();
  return {
    ...project,
    packages: `${shared.path}/node_modules`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
