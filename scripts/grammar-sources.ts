/** The packages of the grammars in assets/grammars, all under the MIT License. */
export const grammarSources: { from: string; sha512: string; files: Record<string, string> }[] = [
  {
    from: 'web-tree-sitter@0.27.1',
    sha512: 'qtx0VyUyNRHtL3ze7+v0hCKB/sLcAmY7ZAVp/ZK/bCj0yED8ptvNrr7Vd7DwDyKDWN9baqcUx4uaD2r2ql+6IA==',
    files: { 'web-tree-sitter.wasm': 'tree-sitter' },
  },
  {
    from: 'tree-sitter-typescript@0.23.2',
    sha512: 'e04JUUKxTT53/x3Uq1zIL45DoYKVfHH4CZqwgZhPg5qYROl5nQjV+85ruFzFGZxu+QeFVbRTPDRnqL9UbU4VeA==',
    files: { 'tree-sitter-typescript.wasm': 'typescript', 'tree-sitter-tsx.wasm': 'tsx' },
  },
  {
    from: 'tree-sitter-javascript@0.25.0',
    sha512: '1fCbmzAskZkxcZzN41sFZ2br2iqTYP3tKls1b/HKGNPQUVOpsUxpmGxdN/wMqAk3jYZnYBR1dd/y/0avMeU7dw==',
    files: { 'tree-sitter-javascript.wasm': 'javascript' },
  },
  {
    from: 'tree-sitter-python@0.25.0',
    sha512: 'eCmJx6zQa35GxaCtQD+wXHOhYqBxEL+bp71W/s3fcDMu06MrtzkVXR437dRrCrbrDbyLuUDJpAgycs7ncngLXw==',
    files: { 'tree-sitter-python.wasm': 'python' },
  },
  {
    from: 'tree-sitter-go@0.25.0',
    sha512: 'APBc/Dq3xz/e35Xpkhb1blu5UgW+2E3RyGWawZSCNcbGwa7jhSQPS8KsUupuzBla8PCo8+lz9W/JDJjmfRa2tw==',
    files: { 'tree-sitter-go.wasm': 'go' },
  },
  {
    from: 'tree-sitter-rust@0.24.0',
    sha512: 'NWemUDf629Tfc90Y0Z55zuwPCAHkLxWnMf2RznYu4iBkkrQl2o/CHGB7Cr52TyN5F1DAx8FmUnDtCy9iUkXZEQ==',
    files: { 'tree-sitter-rust.wasm': 'rust' },
  },
  {
    from: 'tree-sitter-java@0.23.5',
    sha512: 'Yju7oQ0Xx7GcUT01mUglPP+bYfvqjNCGdxqigTnew9nLGoII42PNVP3bHrYeMxswiCRM0yubWmN5qk+zsg0zMA==',
    files: { 'tree-sitter-java.wasm': 'java' },
  },
  {
    from: 'tree-sitter-c@0.24.1',
    sha512: 'lkYwWN3SRecpvaeqmFKkuPNR3ZbtnvHU+4XAEEkJdrp3JfSp2pBrhXOtvfsENUneye76g889Y0ddF2DM0gEDpA==',
    files: { 'tree-sitter-c.wasm': 'c' },
  },
  {
    from: 'tree-sitter-cpp@0.23.4',
    sha512: 'qR5qUDyhZ5jJ6V8/umiBxokRbe89bCGmcq/dk94wI4kN86qfdV8k0GHIUEKaqWgcu42wKal5E97LKpLeVW8sKw==',
    files: { 'tree-sitter-cpp.wasm': 'cpp' },
  },
  {
    from: 'tree-sitter-ruby@0.23.1',
    sha512: 'd9/RXgWjR6HanN7wTYhS5bpBQLz1VkH048Vm3CodPGyJVnamXMGb8oEhDypVCBq4QnHui9sTXuJBBP3WtCw5RA==',
    files: { 'tree-sitter-ruby.wasm': 'ruby' },
  },
  {
    from: 'tree-sitter-php@0.24.2',
    sha512: 'zwgAePc/HozNaWOOfwRAA+3p8yhuehRw8Fb7vn5qd2XjiIc93uJPryDTMYTSjBRjVIUg/KY6pM3rRzs8dSwKfw==',
    files: { 'tree-sitter-php.wasm': 'php' },
  },
  {
    from: 'tree-sitter-c-sharp@0.23.5',
    sha512: 'xJGOeXPMmld0nES5+080N/06yY6LQi+KWGWV4LfZaZe6srJPtUtfhIbRSN7EZN6IaauzW28v6W4QHFwmeUW6HQ==',
    files: { 'tree-sitter-c_sharp.wasm': 'csharp' },
  },
];
