package dev.doyen.injector;

/**
 * The settings that apply to all pods of a cluster.
 *
 * @param image the elector's image, unless a pod names another
 */
public record InjectionSettings(String image, SidecarKind kind) {

    public InjectionSettings {
        if (image.isBlank()) {
            throw new IllegalArgumentException("no image is named for the elector; name one");
        }
    }
}
