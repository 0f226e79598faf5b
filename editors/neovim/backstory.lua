-- The backstory of a line in Neovim, from `backstory lsp`. Needs Neovim 0.7 or newer.
--   require('backstory').setup()                      with `backstory` on the PATH
--   require('backstory').setup({ cmd = { 'npx', 'backstory', 'lsp' } })
local M = {}
local lsp = vim.lsp

-- The server offers these commands without a text; ask for it here.
local prompts = {
  ['backstory.remember'] = 'Remember about this line: ',
  ['backstory.wrong'] = 'What is right instead? (empty: only withdraw) ',
}

local function ask(command, context)
  vim.ui.input({ prompt = prompts[command.command] }, function(text)
    if text == nil then return end
    local arguments = vim.deepcopy(command.arguments)
    table.insert(arguments, text)
    local client = lsp.get_client_by_id(context.client_id)
    client.request('workspace/executeCommand', { command = command.command, arguments = arguments }, function() end)
  end)
end

local function config(options, buffer)
  local capabilities = lsp.protocol.make_client_capabilities()
  -- Neovim would show the escapes of Markdown.
  capabilities.textDocument.hover.contentFormat = { 'plaintext' }
  local folder = vim.fn.finddir('.git', vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h') .. ';')
  return {
    name = 'backstory',
    cmd = options.cmd or { 'backstory', 'lsp' },
    root_dir = folder ~= '' and vim.fn.fnamemodify(folder, ':p:h:h') or vim.fn.getcwd(),
    capabilities = capabilities,
    on_attach = options.on_attach or function(_, attached)
      lsp.codelens.refresh()
      vim.api.nvim_create_autocmd({ 'BufEnter', 'BufWritePost' }, { buffer = attached, callback = lsp.codelens.refresh })
    end,
  }
end

-- Neovim 0.7 has no vim.lsp.start.
local started
local function start(options, buffer)
  if lsp.start then return lsp.start(config(options, buffer), { bufnr = buffer }) end
  started = started or lsp.start_client(config(options, buffer))
  lsp.buf_attach_client(buffer, started)
end

function M.setup(options)
  for name in pairs(prompts) do lsp.commands[name] = ask end
  vim.api.nvim_create_autocmd('BufReadPost', {
    callback = function(event)
      if vim.bo[event.buf].buftype == '' then start(options or {}, event.buf) end
    end,
  })
end

return M
