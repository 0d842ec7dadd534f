import type { EnrichmentTemplate } from './template.ts'

/**
 * Instructions stand between the document and the chunk, so that they belong to the part that providers cache, and are paid in
 * full once a document and not once a chunk.
 */
const english: EnrichmentTemplate = {
  prompt: `<document title="{title}">
{document}
</document>

One chunk of this document follows. A search index will hold it alone, without the document around it. Write the lines below for it, in the language of the chunk. Begin each with its label and write nothing else:

{instructions}

<chunk section="{path}">
{chunk}
</chunk>`,
  context:
    'context: one or two short sentences, on this one line, that say what the chunk is about and where in the document it stands. Name the subject, people, products, places and dates that the chunk itself leaves out. Do not retell the chunk.',
  questions:
    'question: a question that this chunk answers, as someone would ask it who has not read the document. Write {count} such lines, each beginning with "question:", each about something else.',
  keywords:
    'keywords: {count} words or names to find the chunk by, separated by semicolons, on this one line: what it treats, and what others call the same.',
}

const technical: EnrichmentTemplate = {
  ...english,
  context:
    'context: one or two short sentences, on this one line, that name the product, component, function or setting which the chunk documents, the task it serves, and the version or platform if the document says so. Do not retell the chunk.',
  questions:
    'question: a question of a developer that this chunk answers: how to do something, what an option or an error means. Write {count} such lines, each beginning with "question:", each about something else.',
  keywords:
    'keywords: {count} identifiers, options, error codes, commands or technical terms to find the chunk by, separated by semicolons, on this one line, spelt as in the document.',
}

const legal: EnrichmentTemplate = {
  ...english,
  context:
    'context: one or two short, exact sentences, on this one line, that name the instrument and its parties, the clause or provision which the chunk belongs to, and what that governs. Keep defined terms as they are written. Do not interpret.',
  questions:
    'question: a question about rights, duties, conditions, terms or amounts that this chunk answers. Write {count} such lines, each beginning with "question:", each about something else.',
  keywords:
    'keywords: {count} defined terms, clause numbers, parties or legal concepts to find the chunk by, separated by semicolons, on this one line.',
}

const spanish: EnrichmentTemplate = {
  prompt: `<documento título="{title}">
{document}
</documento>

Sigue un fragmento de este documento. Un índice de búsqueda lo guardará solo, sin el resto. Escribe para él las líneas siguientes, en español. Empieza cada una con su etiqueta, tal como está, y no escribas nada más:

{instructions}

<fragmento sección="{path}">
{chunk}
</fragmento>`,
  context:
    'context: una o dos frases breves, en esta sola línea, que digan de qué trata el fragmento y en qué parte del documento está. Nombra el asunto, las personas, los productos, los lugares y las fechas que el fragmento calla. No repitas su contenido.',
  questions:
    'question: una pregunta que este fragmento responde, como la haría quien no ha leído el documento. Escribe {count} líneas así; cada una empieza con "question:" y trata de otra cosa.',
  keywords:
    'keywords: {count} palabras o nombres para encontrar el fragmento, separados por punto y coma, en esta sola línea: de qué trata y cómo lo llaman otros.',
}

/**
 * Ready-made templates: `english` is the default; `technical` and `legal` ask in English for what matters in manuals and in
 * contracts; `spanish` asks in Spanish. Answers come in the language of the chunk, labels stay as they are.
 *
 * They are plain data: change a part with a spread, `{ ...templates.english, context: '…' }`, or translate one.
 */
export const templates: Readonly<Record<'english' | 'technical' | 'legal' | 'spanish', EnrichmentTemplate>> = {
  english,
  technical,
  legal,
  spanish,
}
