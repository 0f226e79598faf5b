-- Uses the language server in a headless Neovim as a person would, and prints what it shows as JSON.
-- Arguments: the folder of backstory.lua, the file, the line.
local folder, file, line = arg[1], arg[2], tonumber(arg[3])
package.path = folder .. '/?.lua;' .. package.path
local seen = { messages = {} }
vim.lsp.handlers['window/showMessage'] = function(_, result) table.insert(seen.messages, result.message) end
vim.ui.input = function(options, done)
  seen.prompt = options.prompt
  done('The queue is read by one worker only.')
end
vim.ui.select = function(items, options, done)
  seen.actions = vim.tbl_map(options.format_item, items)
  for _, item in ipairs(items) do
    if options.format_item(item):find('remember') then return done(item) end
  end
end
require('backstory').setup()
vim.cmd('edit ' .. vim.fn.fnameescape(file))
local function wait(check) assert(vim.wait(600000, check, 20), 'nothing came') end
wait(function()
  local client = vim.lsp.get_active_clients()[1]
  return client and client.initialized
end)
vim.api.nvim_win_set_cursor(0, { line, 0 })
vim.lsp.buf.hover()
wait(function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      seen.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      return true
    end
  end
end)
vim.lsp.codelens.refresh()
wait(function() return #vim.lsp.codelens.get(0) > 0 end)
seen.lenses = vim.tbl_map(function(lens) return lens.command.title end, vim.lsp.codelens.get(0))
vim.lsp.buf.code_action()
wait(function() return #seen.messages > 0 end)
io.stdout:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
vim.cmd('qa!')
