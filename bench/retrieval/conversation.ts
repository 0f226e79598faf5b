/** A conversation with questions whose evidence is known: what the retrieval sets have in common. */
export interface Conversation {
  id: string;
  split: 'dev' | 'test';
  /** Questions of these are also counted by themselves. */
  group: string;
  messages: Message[];
  questions: AskedQuestion[];
}

export interface Message {
  id: string;
  who: 'user' | 'assistant';
  session: string;
  at: number;
  text: string;
}

export interface AskedQuestion {
  text: string;
  /** The set's own name for its kind. */
  category: string;
  /** Ids of the messages that answer it. */
  evidence: string[];
  /** Whether it is counted in the main figures. */
  isMain: boolean;
}
