import { z } from 'zod';
import { shortNoteId } from '../domain/note.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { rememberOnce } from '../memory/notes/remember.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { newNoteShape } from '../wire/note.ts';
import { runTextTool, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';

const schema = z.object(newNoteShape);

export function registerRemember(server: ToolServer, parts: McpParts): void {
  server.registerTool(
    'remember',
    {
      description:
        'Propose a note on a lasting decision, convention, gotcha or failed path. The user approves it.',
      inputSchema: schemaForListing(schema),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (given) =>
      runTextTool(schema, given, async ({ text, kind, files }) => {
        parts.ensureActive();
        const context = await parts.context();
        const { note, isKnown } = await rememberOnce(
          {
            notes: parts.project.notes,
            log: parts.project.log,
            context,
            userHome: parts.userHome,
            clock: parts.clock,
            redactor: projectRedactor(parts.project),
          },
          {
            text,
            kind: kind ?? 'decision',
            concepts: [],
            ...(await anchorsFromUser(files ?? [], parts.checkedCode, context.head)),
            trust: 1,
            author: context.agent,
          },
        );
        const id = shortNoteId(note.id);
        if (isKnown && note.state === 'active') return `Already a note, id ${id}.`;
        return `${isKnown ? 'Already saved' : 'Saved'} as a candidate, id ${id}. It can be recalled now, and waits for the user's review. New sessions get it only if the user accepts it.`;
      }),
  );
}
