package dev.doyen.injector;

/**
 * What holds for all pods of a cluster.
 *
 * @param image the elector's, unless a pod names another
 */
public record InjectionSettings(String image, SidecarKind kind) {

    public InjectionSettings {
        if (image.isBlank()) {
            throw new IllegalArgumentException("no image is named for the elector; name one");
        }
    }
}
