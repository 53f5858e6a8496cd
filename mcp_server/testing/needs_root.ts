/**
 * Names a test that only root can run, such as one that mounts or gives files away. For any other
 * user it is skipped, and its name says why: `Deno.test(...needsRoot("it mounts"), fn)`.
 */
export function needsRoot(name: string): [name: string, options: { ignore: boolean }] {
  const ignore = Deno.uid() !== 0;
  return [ignore ? `${name} (needs root)` : name, { ignore }];
}
