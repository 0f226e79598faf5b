import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { uuidv7 } from '../../base/ids.ts';
import { noteKinds } from '../../domain/note.ts';
import { addTextTool } from '../../mcp/answer.ts';
import { saveInTeam } from '../memories/save.ts';
import { forWriters } from '../people/permissions.ts';
import type { TeamCaller } from './server.ts';

const schema = z.object({
  text: z.string().min(1).max(4000).describe('One fact and its reason, understandable on its own'),
  kind: z.enum(noteKinds).optional(),
  files: z.array(z.string()).max(20).optional().describe('FILE or FILE:FROM-TO'),
});

const tool = {
  name: 'remember',
  description:
    'Add a note on a lasting decision, rule, fact or failed attempt to the team. It reaches the sessions of teammates only after they approve it.',
  schema,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
};

/** The note's author is the owner of the token that the agent uses. */
export function registerRemember(server: McpServer, { parts, token, project }: TeamCaller): void {
  addTextTool(server, tool, async ({ text, kind = 'decision', files = [] }) => {
    const at = parts.clock.now();
    const [created, updated] = [isoTime(at), isoTime(at)];
    const [saved] = await saveInTeam(parts, token, project, forWriters, [
      {
        source: 'note',
        sourceRef: uuidv7(at),
        text,
        // A laptop accepts a note in a sync only if it has all fields of a synced note. `by` records that an
        // agent wrote it.
        metadata: { kind, files, concepts: [], created, updated, by: 'agent' },
        at,
      },
    ]);
    return `Saved for the team, id ${saved?.documentId.slice(0, 8)}. It can be recalled now. It reaches the sessions of teammates only after they approve it.`;
  });
}
