"""Code that all clouds share: base models, rules, the plan of node pools, and parsing of a cloud's specification."""
