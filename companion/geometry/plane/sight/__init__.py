"""Line of sight between trays."""
