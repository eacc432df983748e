const LIMIT = 100;

export class Sketch {
  shapes: string[] = [];
  private past: string[][] = [];
  private future: string[][] = [];

  add(shape: string): void {
    this.change([...this.shapes, shape]);
  }

  clear(): void {
    this.change([]);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  undo(): void {
    const before = this.past.pop();
    if (before === undefined) return;
    this.future.push(this.shapes);
    this.shapes = before;
  }

  redo(): void {
    const after = this.future.pop();
    if (after === undefined) return;
    this.past.push(this.shapes);
    this.shapes = after;
  }

  private change(shapes: string[]): void {
    this.past.push(this.shapes);
    if (this.past.length > LIMIT) this.past.shift();
    this.future = [];
    this.shapes = shapes;
  }
}
