package dev.doyen.injector;

/**
 * The settings that apply to all pods of a cluster.
 *
 * @param image the elector's image, which is used unless a pod specifies another image
 */
public record InjectionSettings(String image, SidecarKind kind) {

    public InjectionSettings {
        if (image.isBlank()) {
            throw new IllegalArgumentException("the image of the elector is missing; set it");
        }
    }
}
