/** A conversation with questions whose evidence is known, as all retrieval sets have them. */
export interface Conversation {
  id: string;
  split: 'dev' | 'test';
  /** Figures are also reported per group. */
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
  /** The category of the question in its data set. */
  category: string;
  /** Ids of the messages that answer it. */
  evidence: string[];
  /** Whether it counts in the main figures. */
  isMain: boolean;
}
