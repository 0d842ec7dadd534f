/** The other end of `isolate.ts`: loads the module named on the command line and does the jobs that are sent. */
const loaded = import(process.argv[2]!) as Promise<{ work: (job: unknown) => unknown }>

process.on('message', async ({ job }: { job: unknown }) => {
  try {
    const { work } = await loaded
    process.send!({ type: 'done', value: await work(job) })
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    process.send!({ type: 'threw', message: message.slice(0, 300) })
  }
})
