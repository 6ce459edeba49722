package dev.doyen.server.sidecar;

/** How long a leader stays one. */
public enum Mode {
    /** While its lease is renewed: by its own clock it steps down before others may lead. */
    LEASE,
    /**
     * Until this program ends or somebody asks it to step down, or another is seen to lead: for apps that look only
     * once. A store that is away does not change what is said.
     */
    LIFE
}
