export const theme = {
  text: "#222222",
  background: "#ffffff",
  warning: "#f0a020",
  error: "#b00020",
} as const;
