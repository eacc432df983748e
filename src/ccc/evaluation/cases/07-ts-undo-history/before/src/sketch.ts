export class Sketch {
  shapes: string[] = [];

  add(shape: string): void {
    this.shapes = [...this.shapes, shape];
  }

  clear(): void {
    this.shapes = [];
  }
}
