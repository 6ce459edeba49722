import DefaultTheme from "vitepress/theme-without-fonts";
import VersionMenu from "./VersionMenu.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component("VersionMenu", VersionMenu),
};
