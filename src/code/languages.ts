const programExtensions = new Set(
  (
    'c h cc cpp cxx hpp hh hxx ipp cs css scss sass less dart ex exs go hs java js jsx mjs cjs kt kts lua php py pyi ' +
    'rb rake rs scala sh bash zsh sql svelte swift ts tsx mts cts vue zig ' +
    'clj cr erl f90 fs jl l m ml mm nim pl pyx r y'
  ).split(' '),
);

/** Whether the extension is that of a programming language. */
export const isProgram = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') && programExtensions.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
};
