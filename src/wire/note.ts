import { z } from 'zod';
import { noteKinds } from '../domain/note.ts';

export const newNoteShape = {
  text: z.string().min(1).max(4000).describe('One fact and its reason, understandable on its own'),
  kind: z.enum(noteKinds).optional(),
  files: z.array(z.string()).max(20).optional().describe('FILE or FILE:FROM-TO'),
};
