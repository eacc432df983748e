export const theme = {
  text: "#222222",
  background: "#ffffff",
  warning: "#8a4b00",
  error: "#b00020",
  info: "#0b5cad",
} as const;
