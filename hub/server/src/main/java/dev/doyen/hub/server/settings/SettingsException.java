package dev.doyen.hub.server.settings;

/** Thrown if a settings file is invalid. The message begins with the file and usually the line. */
public final class SettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    public SettingsException(String sentence) {
        super(sentence);
    }
}
