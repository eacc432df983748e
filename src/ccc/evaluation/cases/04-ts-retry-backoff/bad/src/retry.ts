type Task = () => Promise<unknown>;

export interface RetryOptions {
  attempts?: number;
  baseMs?: number;
  maxMs?: number;
  sleep?: (ms: number) => Promise<void>;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export async function withRetry(task: Task, options: RetryOptions = {}) {
  const { attempts = 4, baseMs = 200, maxMs = 5000, sleep = pause } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (attempt >= attempts) throw error;
      // TODO: exponential backoff and retryAfterMs
      await sleep(Math.min(baseMs, maxMs));
    }
  }
}
